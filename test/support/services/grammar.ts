import { fc } from '../random';
import { answerAxes } from './answers';
import { catalogAxes, hasIds, isOneObject, namesOf, typesOf } from './catalog';
import { deliveryAxes } from './deliveries';
import { endpointAxes } from './endpoints';
import { envelopeAxes } from './envelopes';
import { settle } from './knowable';
import { goesByLastId, isUnusual, pagingAxes } from './paging';
import { arbitraryOf, type DrawnOf } from './production';

/** What the user chooses, first and later. Empty means every event. */
const userAxes = {
	choice: { contracts: {}, another: {}, two: {}, every: {}, wildcard: {} },
	laterChoice: { another: {}, same: {}, two: {}, every: {}, wildcard: {} },
} as const;

/**
 * Everything on which services that keep the contract differ, as far as a reader can meet it. What no
 * reader could know is taken out of what was drawn by {@link settle}.
 */
export const axes = {
	...envelopeAxes,
	...pagingAxes,
	...catalogAxes,
	...endpointAxes,
	...deliveryAxes,
	...answerAxes,
	...userAxes,
} as const;

/** A service as drawn. */
export type Service = DrawnOf<typeof axes>;

/** Services that keep the contract. */
export const services: fc.Arbitrary<Service> = arbitraryOf(axes).map(settle);

/** The lists of a service that come in pages. */
export function isPaged(service: Service, list: 'webhooks' | 'eventTypes' | 'others'): boolean {
	if (list === 'webhooks') return !isUnusual(service);
	if (list === 'others') return true;
	const { catalogEntry } = service;
	return !(
		isUnusual(service) ||
		isOneObject(service) ||
		catalogEntry.kind === 'nonsenseKey' ||
		(goesByLastId(service) && !hasIds(service))
	);
}

/** The events that the user chooses: none for every event. */
export function chosenEvents(service: Service, choice: 'choice' | 'laterChoice'): string[] {
	const types = typesOf(service);
	const wildcard = namesOf(service).find((name) => name.endsWith('*'));
	switch (service[choice].kind) {
		case 'contracts':
			return ['call.completed'];
		case 'another':
			return [types.find((name) => name !== 'call.completed')!];
		case 'same':
			return chosenEvents(service, 'choice');
		case 'two':
			return [types.at(-1)!, 'call.completed'].filter((name, n, all) => all.indexOf(name) === n);
		case 'every':
			return [];
		case 'wildcard':
			return [wildcard ?? 'call.completed'];
	}
}
