import type { Service } from './grammar';
import type { ServiceHost } from './host';
import { canForget } from './knowable';
import { Operations } from './operations';
import type { Report } from './report';
import { TriggerLife } from './triggerLife';

/** How many of the last requests a failure shows. */
const SHOWN_REQUESTS = Number(process.env.SERVICES_LINES ?? 12);

/**
 * Takes a drawn service through a user's whole life with it: every operation, and a trigger from its
 * first test event until it is unpublished.
 *
 * @throws an Error that says what the user did not get, and shows the last requests
 */
export async function live(host: ServiceHost, drawn: Service, report: Report): Promise<void> {
	const name = `s${report.services++}`;
	const service = host.open(drawn, name);
	try {
		const operations = await Operations.create(service, report);
		for (let n = operations.crowd(); n > 0; n--) {
			service.addEndpoint(`https://crm.example.com/hooks/${n}?key=${n}`);
			service.addKey(`Key ${n}`, ['calls:read']);
		}
		service.catchUp();
		await operations.all();

		const trigger = await TriggerLife.create(service, report);
		await trigger.listen();
		await trigger.publish();
		await operations.listWebhooks();
		await trigger.publishAgain();
		if (canForget(drawn)) await trigger.loseStaticData();
		await trigger.unpublish();
	} catch (error) {
		const { message } = error as Error;
		const exchanges = service.exchanges.slice(-SHOWN_REQUESTS).join('\n');
		throw new Error(`${message}\nThe last requests:\n${exchanges}`, { cause: error });
	} finally {
		host.close(name);
	}
}
