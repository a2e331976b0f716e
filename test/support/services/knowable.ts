import { isTypeHidden, isTypeInHeaders } from './deliveries';
import { showsToken } from './endpoints';
import { isToldByName, listPath } from './envelopes';
import type { Service } from './grammar';
import { isSilent, needsBody, saysHowToGoOn } from './paging';

/** Says what has to be drawn instead, where two productions don't go together. */
type Rule = (service: Service) => Partial<Service> | false;

/**
 * What keeps a drawn service one that a careful reader could know: no two things of equal shape of
 * which neither is told, no id that could be two things', nothing that nothing shows.
 */
const rules: Rule[] = [
	// Names that would stand twice in one place.
	(service) => service.list.kind === 'bare' && needsBody(service) && { list: named('data') },
	({ list, emptyList }) =>
		list.kind === 'bare' && emptyList.kind === 'countOfZero' && { emptyList: { kind: 'array' } },
	(service) => {
		const { pagePlace } = service;
		const names = [...listPath(service, 'webhooks'), 'links', '_links'];
		const isTaken =
			(pagePlace.kind === 'named' && names.includes(pagePlace.name)) ||
			(pagePlace.kind === 'nested' && pagePlace.path.some((name) => names.includes(name)));
		return isTaken && { pagePlace: { kind: 'top' } };
	},

	// That a list belongs where nothing is, only its name can tell.
	(service) =>
		service.emptyList.kind === 'nullInPlace' &&
		!isToldByName(service, 'webhooks') && { emptyList: { kind: 'array' } },

	// An id right above the record, or beside the object that holds the record's, could be either's.
	({ object }) => object.kind === 'idBelowFields' && { noiseIds: { kind: 'none' } },
	({ object, ownNoise }) =>
		object.kind === 'idBelowFields' &&
		ownNoise.kind.startsWith('owner') && { ownNoise: { kind: 'times' } },
	({ object, ownNoise }) =>
		object.kind === 'fieldsBelowId' &&
		ownNoise.kind === 'ownerWithUrl' && { ownNoise: { kind: 'owner' } },

	// What shows nothing of an address leaves only the id, once it is known whose it is.
	({ listedUrl }) =>
		listedUrl.kind === 'hidden' && {
			createdUrl: { kind: 'asSent' },
			createdRecord: { kind: 'whole' },
			object: { kind: 'plain' },
			leftBehind: { kind: 'nothing' },
			sameAddress: { kind: 'allowed' },
		},
	// What is active and removed says nothing.
	({ removal }) => removal.kind === 'shown' && { state: { kind: 'none' } },
	// Only the list can tell whose a lone id is.
	({ createdRecord }) => createdRecord.kind === 'idOnly' && { noiseIds: { kind: 'none' } },
	({ createdRecord, noiseArrays }) =>
		createdRecord.kind === 'idOnly' &&
		noiseArrays.kind === 'included' && { noiseArrays: { kind: 'links' } },
	// Whose an old endpoint is that comes in place of a new one, only its token tells.
	(service) =>
		service.sameAddress.kind === 'givesBackOld' &&
		(!showsToken(service) || service.leftBehind.kind === 'withoutQuery') && {
			sameAddress: { kind: 'allowed' },
		},
	// What only the list can tell of a token, it has to show, and at once.
	(service) =>
		service.meanwhile.kind === 'keyRotatedAndDataLost' &&
		(!showsToken(service) || isSilent(service) || service.rateLimit.kind !== 'none') && {
			meanwhile: { kind: 'keyRotated' },
		},

	// One request for what a list does not tell has all the usual parameters at once.
	(service) => isSilent(service) && { unknownQuery: { kind: 'ignored' } },
	// Which text is a name, only one with parts can tell, or one that is known.
	({ catalogEntry, names }) =>
		catalogEntry.kind === 'nonsenseKey' &&
		names.kind === 'oneWord' && { names: { kind: 'dots', others: names.others } },
	({ choice, wildcards }) =>
		choice.kind === 'wildcard' && wildcards.kind === 'none' && { wildcards: { kind: 'star' } },
	// Only where all names are a group's and one more, a group's name can stand for them.
	({ catalogEntry }) =>
		catalogEntry.kind === 'shortNamesByGroup' && {
			names: { kind: 'dots', others: 10 },
			wildcards: { kind: 'none' },
			choice: { kind: 'two' },
		},
	// `acme.closed` may be another type than `closed`.
	({ typeSpelling, names }) =>
		typeSpelling.kind === 'prefixed' &&
		names.kind === 'oneWord' && { typeSpelling: { kind: 'exact' } },
	// A version that the catalog knows is another type's name.
	({ typeSpelling, names }) =>
		typeSpelling.kind === 'versioned' &&
		names.kind === 'versions' && { typeSpelling: { kind: 'exact' } },
	// Whether `call.*` means `call_started` too, nothing says.
	({ wildcards, names }) =>
		/^(family|both)$/.test(wildcards.kind) &&
		!/^(dots|deep|endingsOfOthers|versions)$/.test(names.kind) && { wildcards: { kind: 'star' } },
	// One header tells the type of all the events of a delivery, or of one with a list in it.
	(service) =>
		service.batch.kind === 'underName' &&
		(isTypeInHeaders(service) || isTypeHidden(service)) && { batch: { kind: 'none' } },

	// Who verifies signatures has the secret from somewhere, and can't verify what comes before it.
	({ signing }) => signing.kind !== 'none' && { whileCreating: { kind: 'nothing' } },
	({ signing, secretPlace }) =>
		signing.kind !== 'none' &&
		secretPlace.kind === 'nowhere' && { secretPlace: { kind: 'inRecord', name: 'secret' } },
	({ signing, besideType }) =>
		signing.kind !== 'none' && besideType.kind === 'headers' && { besideType: { kind: 'nothing' } },

	// Ten seconds are enough for a lifecycle call only where it has little else to wait for.
	({ rateLimit }) =>
		rateLimit.kind !== 'none' && {
			removal: { kind: 'gone' },
			lag: { kind: 'none' },
		},
	({ rateLimit, crowd }) =>
		rateLimit.kind !== 'none' && crowd.kind === 'more' && { crowd: { kind: 'pageful' } },
	({ rateLimit, lastPage }) =>
		rateLimit.kind !== 'none' &&
		lastPage.kind === 'backToFirst' && { lastPage: { kind: 'leftOut' } },
	({ rateLimit, paging }) =>
		rateLimit.kind !== 'none' &&
		'size' in paging && {
			paging: saysHowToGoOn(paging)
				? ({ ...paging, size: Math.max(3, paging.size) } as Service['paging'])
				: { kind: 'none' },
		},
];

const named = (name: string) => ({ kind: 'named' as const, name });

/** Takes out of a drawn service what no reader could know. */
export function settle(drawn: Service): Service {
	return rules.reduce<Service>((service, rule) => ({ ...service, ...rule(service) }), drawn);
}

/** Whether a reader who has forgotten everything can know the endpoint and its token again. */
export function canForget(service: Service): boolean {
	const { listedUrl, meanwhile } = service;
	return listedUrl.kind !== 'hidden' && (meanwhile.kind !== 'keyRotated' || showsToken(service));
}
