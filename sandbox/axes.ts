import { answerAxes } from './axes/answers';
import { deliveryAxes } from './axes/deliveries';
import { endpointAxes } from './axes/endpoints';
import { listAxes } from './axes/lists';

/**
 * Every point on which the service contract is silent ("not shown"), and the forms that a real
 * service may take there. The first value of each axis is the form that this project assumes.
 * Nothing that the contract states is varied.
 */
export const axes = { ...listAxes, ...answerAxes, ...endpointAxes, ...deliveryAxes } as const;
