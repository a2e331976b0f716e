import fc from 'fast-check';

import { answerAxes } from './answers';
import { catalogAxes, hasIds, isOneObject, namesOf, typesOf } from './catalog';
import { deliveryAxes, isTypeHidden, isTypeInHeaders } from './deliveries';
import { endpointAxes, showsToken } from './endpoints';
import { envelopeAxes, isToldByName, listPath } from './envelopes';
import { goesByLastId, isSilent, isUnusual, needsBody, pagingAxes } from './paging';
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

/** Whether a reader who has forgotten everything can know the endpoint and its token again. */
export function canForget(service: Service): boolean {
	const { listedUrl, meanwhile } = service;
	return listedUrl.kind !== 'hidden' && (meanwhile.kind !== 'keyRotated' || showsToken(service));
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

/**
 * Takes out of a drawn service what no reader could know: which of two things of equal shape is meant,
 * whose an id is that could be two things', what nothing shows. Names that would stand twice in one
 * place are given out once.
 */
function settle(drawn: Service): Service {
	const service = { ...drawn };
	const set = <Name extends keyof Service>(name: Name, production: Service[Name]) => {
		service[name] = production;
	};

	if (service.list.kind === 'bare' && needsBody(service))
		set('list', { kind: 'named', name: 'data' });
	// That a list belongs where nothing is, only its name can tell.
	if (service.emptyList.kind === 'nullInPlace' && !isToldByName(service, 'webhooks')) {
		set('emptyList', { kind: 'array' });
	}
	if (service.emptyList.kind === 'countOfZero' && service.list.kind === 'bare')
		set('emptyList', { kind: 'array' });
	const names = [...listPath(service, 'webhooks'), 'links', '_links'];
	const place = service.pagePlace;
	const placeNames =
		place.kind === 'named' ? [place.name] : place.kind === 'nested' ? place.path : [];
	if (placeNames.some((name) => names.includes(name))) set('pagePlace', { kind: 'top' });

	// An id right above the record, or beside the object that holds the record's, could be either's.
	if (service.object.kind === 'idBelowFields') {
		set('noiseIds', { kind: 'none' });
		if (service.ownNoise.kind.startsWith('owner')) set('ownNoise', { kind: 'times' });
	}
	if (service.object.kind === 'fieldsBelowId' && service.ownNoise.kind === 'ownerWithUrl') {
		set('ownNoise', { kind: 'owner' });
	}
	// Which text is the name, only names with parts can tell, and only beside one that is known.
	if (service.catalogEntry.kind === 'nonsenseKey' && service.names.kind === 'oneWord') {
		set('names', { kind: 'dots', others: service.names.others });
	}

	// One header tells the type of all the events of a delivery, or of one with a list in it.
	const isUntold = isTypeInHeaders(service) || isTypeHidden(service);
	if (service.batch.kind === 'underName' && isUntold) {
		set('batch', { kind: 'none' });
	}

	// Who is to verify signatures has the secret from somewhere; what comes before it can't be verified.
	if (service.signing.kind !== 'none') {
		if (service.secretPlace.kind === 'nowhere')
			set('secretPlace', { kind: 'inRecord', name: 'secret' });
		set('whileCreating', { kind: 'nothing' });
		if (service.besideType.kind === 'headers') set('besideType', { kind: 'nothing' });
	}
	// Ten seconds are enough for a lifecycle call only where not every page has to be waited for.
	if (service.rateLimit.kind !== 'none' && 'size' in service.paging) {
		const size = Math.max(3, service.paging.size);
		set('paging', { ...service.paging, size } as Service['paging']);
		if (service.crowd.kind === 'more') set('crowd', { kind: 'pageful' });
		if (service.lastPage.kind === 'backToFirst') set('lastPage', { kind: 'leftOut' });
	}
	// What only the list can tell of a token, it has to show.
	if (service.meanwhile.kind === 'keyRotatedAndDataLost') {
		const isTold = showsToken(service) && !isSilent(service) && service.rateLimit.kind === 'none';
		if (!isTold) set('meanwhile', { kind: 'keyRotated' });
	}
	// Whether `call.*` means `call_started` too, nothing says.
	const isDotted = /^(dots|deep|endingsOfOthers|versions)$/.test(service.names.kind);
	if (/^(family|both)$/.test(service.wildcards.kind) && !isDotted)
		set('wildcards', { kind: 'star' });
	// A version that the catalog knows is another type's name.
	if (service.typeSpelling.kind === 'versioned' && service.names.kind === 'versions') {
		set('typeSpelling', { kind: 'exact' });
	}

	// What shows nothing of an address leaves only the id, once it is known whose it is.
	if (service.listedUrl.kind === 'hidden') {
		set('createdUrl', { kind: 'asSent' });
		set('object', { kind: 'plain' });
		set('leftBehind', { kind: 'nothing' });
		if (service.sameAddress.kind !== 'allowed') set('sameAddress', { kind: 'allowed' });
	}
	if (service.choice.kind === 'wildcard' && service.wildcards.kind === 'none') {
		set('wildcards', { kind: 'star' });
	}
	return service;
}
