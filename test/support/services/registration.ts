import { created, failure, json, type Answer } from './answers';
import { namesOf } from './catalog';
import { makeDelivery, plain } from './deliveries';
import { envelopRecord } from './envelopes';
import { endpointRecord, type Endpoint } from './records';
import type { DrawnService } from './service';
import { secretOf } from './signing';

type Json = Record<string, unknown>;

const addressOf = (url: string) => url.split('?')[0]!;

/** Registers an endpoint, as far as the service lets it be. */
export async function register(service: DrawnService, body: Json): Promise<Answer> {
	const { drawn } = service;
	const { url, events } = body as { url?: unknown; events?: string[] };
	if (typeof url !== 'string' || !url.startsWith('https://')) {
		return failure(drawn, 422, 'url must be an HTTPS URL');
	}
	const unknownEvent = events?.find((event) => !namesOf(drawn).includes(event));
	if (unknownEvent) return failure(drawn, 422, `No such event type: ${unknownEvent}`);
	const answer = answerForTaken(service, url, body);
	if (answer) return answer;
	if (service.endpoints.length >= service.limit) {
		const { leftBehind } = drawn;
		const status = leftBehind.kind === 'fillingTheLimit' ? leftBehind.status : 403;
		return failure(drawn, status, 'The limit of endpoints is reached');
	}
	if (service.isOurs(url) && !(await isAnswering(service, url))) {
		return failure(drawn, 422, 'The endpoint did not answer the challenge');
	}
	const endpoint = service.addEndpoint(url, events);
	if (service.isOurs(url)) await deliverWhileCreating(service, endpoint);

	const { inRecord, besideRecord } = shownSecret(service, endpoint);
	const whole =
		drawn.createdRecord.kind === 'idOnly'
			? { id: endpoint.id }
			: endpointRecord(drawn, endpoint, 1, true);
	const record = { ...whole, ...inRecord };
	return created(drawn, envelopRecord(drawn, 'webhooks', record, body, besideRecord));
}

/** The answer for an address that may not be registered again. */
function answerForTaken(service: DrawnService, url: string, body: Json): Answer | undefined {
	const { drawn, endpoints } = service;
	const { sameAddress } = drawn;
	const atAddress = endpoints.find((endpoint) => addressOf(endpoint.url) === addressOf(url));
	switch (sameAddress.kind) {
		case 'allowed':
			return undefined;
		case 'givesBackOld': {
			if (!atAddress) return undefined;
			const record = endpointRecord(drawn, atAddress, 1, true);
			const enveloped = envelopRecord(drawn, 'webhooks', record, body);
			return json(drawn, sameAddress.status, enveloped);
		}
		default: {
			const isTaken =
				sameAddress.kind === 'addressConflict'
					? atAddress
					: endpoints.some((endpoint) => endpoint.url === url);
			return isTaken
				? failure(drawn, sameAddress.status, 'An endpoint with this URL exists')
				: undefined;
		}
	}
}

/** Sends a challenge where the service registers only what answers one. */
async function isAnswering(service: DrawnService, url: string): Promise<boolean> {
	const { kind } = service.drawn.whileCreating;
	if (!kind.toLowerCase().endsWith('challenge')) return true;
	const challenge = `c-${service.endpoints.length}-7f3a`;
	const target = new URL(url);
	if (kind === 'queryChallenge') target.searchParams.set('hub.challenge', challenge);
	const { status, body } = await service.send(
		target.href,
		plain(
			{
				challenge: { challenge },
				typedChallenge: { type: 'url_verification', challenge, token: 'of-the-app' },
				queryChallenge: {},
			}[kind as 'challenge'],
		),
	);
	return status >= 200 && status < 300 && body.includes(challenge);
}

async function deliverWhileCreating(service: DrawnService, endpoint: Endpoint): Promise<void> {
	const { drawn } = service;
	const { kind } = drawn.whileCreating;
	if (kind !== 'ping' && kind !== 'chosenEvent') return;
	const { id, url, events } = endpoint;
	const delivery =
		kind === 'ping'
			? plain({ type: 'ping', hook_id: id })
			: makeDelivery(drawn, [service.someTypeOf(events)], 0, { url });
	await service.send(url, service.signed(endpoint, delivery));
}

/** What the answer of create shows of the secret, and where. */
function shownSecret(
	{ drawn }: DrawnService,
	{ id }: Endpoint,
): { inRecord?: Json; besideRecord?: Json } {
	const { secretPlace } = drawn;
	switch (secretPlace.kind) {
		case 'nowhere':
			return {};
		case 'inRecord':
			return { inRecord: { [secretPlace.name]: secretOf(drawn, id) } };
		case 'besideRecord':
			return { besideRecord: { [secretPlace.name]: secretOf(drawn, id) } };
		case 'inDashboard':
			return secretPlace.masked ? { inRecord: { secret: 'whsec_********' } } : {};
	}
}
