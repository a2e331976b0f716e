import { answerAxes } from './axes/answers';
import { deliveryAxes } from './axes/deliveries';
import { endpointAxes } from './axes/endpoints';
import { listAxes } from './axes/lists';

/**
 * The axes: each is a point that the contract leaves open (docs/the-service.md), with the forms that a real
 * service may have. The first value of each axis is assumed. No axis contradicts the contract.
 */
export const axes = { ...listAxes, ...answerAxes, ...endpointAxes, ...deliveryAxes } as const;
