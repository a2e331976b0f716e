import type { Locator, Page } from 'playwright-core';
import type { Line } from '../../sandbox/stack/install-n8n';
import type { N8n } from '../../sandbox/stack/n8n';
import { isFulfilled, until } from '../../sandbox/stack/until';
import { read } from '../support/documents';

/** n8n's editor in a browser, with the actions that several tests use. */
export class Editor {
	/** The window of an opened node. */
	readonly node: Locator;

	private constructor(
		readonly page: Page,
		private readonly url: string,
		private readonly line: Line,
	) {
		this.node = page.getByTestId('ndv');
	}

	/** Logs in through the form, as the owner. */
	static async logIn(page: Page, { url, api: { login, line } }: N8n): Promise<Editor> {
		// Hides a hint that covers the data.
		await page.addInitScript(() => localStorage.setItem('N8N_PIN_DATA_DISCOVERY_NDV', 'true'));
		await page.goto(`${url}/signin`);
		await page.getByTestId('emailOrLdapLoginId').getByRole('textbox').fill(login.email);
		await page.getByTestId('password').locator('input').fill(login.password);
		await page.getByTestId('form-submit-button').click();
		await page.waitForURL('**/home/**');
		return new Editor(page, url, line);
	}

	/** @param id of a workflow; a new one by default */
	async openWorkflow(id = 'new'): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas').waitFor();
	}

	/** Opens an example, and copies all of it. */
	async copyExample(file: string): Promise<void> {
		const example = await this.page.context().newPage();
		const body = read(`examples/${file}`);
		await example.route('**/*', (route) =>
			route.fulfill({ body, contentType: 'text/plain; charset=utf-8' }),
		);
		await example.goto(`${this.url}/${file}`);
		await example.keyboard.press('Control+a');
		await example.keyboard.press('Control+c');
		await example.close();
	}

	/** Copies an example, and pastes it onto the canvas of a new workflow. */
	async pasteExample(file: string): Promise<void> {
		await this.copyExample(file);
		await this.openWorkflow();
		await this.page.keyboard.press('Control+v');
		await this.nodes().first().waitFor();
	}

	/** Searches in the open node panel, and picks a node and one of its actions. */
	async addNode(search: string, node: string, action: string | RegExp): Promise<void> {
		await this.page.getByTestId('node-creator-search-bar').fill(search);
		await this.itemOfPanel(node).click();
		await this.itemOfPanel(action).click();
		await this.node.waitFor();
	}

	/** An entry of the node panel. */
	itemOfPanel(name: string | RegExp): Locator {
		return this.page.getByTestId('node-creator-item-name').filter({ hasText: name }).first();
	}

	/** Opens a node of the canvas, again if a notification has covered it. */
	async openNode(name: string): Promise<void> {
		const timeout = 10_000;
		await until(`the window of ${name}`, 60, async () => {
			await isFulfilled(this.nodeOnCanvas(name).dblclick({ timeout }));
			const isOpen = await isFulfilled(this.node.waitFor({ timeout }));
			// The notification stays while the mouse is on it.
			if (!isOpen) await this.page.mouse.move(0, 0);
			return isOpen;
		});
	}

	nodeOnCanvas(name: string): Locator {
		return this.page
			.getByTestId('canvas-node')
			.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/** The nodes of the canvas, without its notes. */
	nodes(): Locator {
		return this.page.getByTestId('canvas-node');
	}

	/** Waits until so many nodes and notes are on the canvas. */
	async shows(count: number): Promise<void> {
		await until('its nodes and notes', 30, async () => {
			return (await this.nodes().count()) + (await this.notes().count()) === count;
		});
	}

	/** The sticky notes of the canvas. */
	notes(): Locator {
		return this.page.getByTestId('sticky');
	}

	/** The shapes of nodes with the texts below them, and the labels of their outputs. */
	partsOf(nodes: Locator): Locator {
		// Without the buttons that appear under the mouse.
		const shapes = nodes.locator('[data-test-id$=-node], [data-test-id$=-node] *');
		return shapes.or(nodes.locator('[data-test-id=canvas-node-output-handle] *'));
	}

	/** The icon of a node of the canvas. */
	iconOf(name: string): Locator {
		return this.nodeOnCanvas(name).locator('.n8n-node-icon').locator('img, svg');
	}

	async closeNode(): Promise<void> {
		// Older editors have a link beside the window.
		const button = this.page.getByTestId('ndv-close-button');
		await button.or(this.page.getByTestId('back-to-canvas')).click();
		await this.node.waitFor({ state: 'hidden' });
	}

	/**
	 * Opens the window for the first credential of the opened node.
	 *
	 * @param name as n8n names it. The credential can be saved after that
	 */
	async openNewCredential(name: string): Promise<Locator> {
		if (this.line === '2.41') {
			await this.page.getByTestId('node-credentials-empty-state').click();
		} else {
			await this.page.getByTestId('node-credentials-select').click();
			await this.page.getByTestId('node-credentials-select-item-new').click();
		}
		const window = this.page.getByTestId('editCredential-modal');
		await window.getByTestId('inline-edit-preview').getByText(name).waitFor();
		return window;
	}

	/** Fills fields of the opened credential, and saves it. */
	async saveCredential(fields: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(fields)) {
			await this.parameter(name).locator('input').fill(value);
		}
		await this.page.getByTestId('credential-save-button').getByRole('button').click();
	}

	/** Opens the credential's window again if saving has closed it. */
	async reopenCredential(window: Locator): Promise<void> {
		if (this.line !== '2.41') return;
		await window.waitFor({ state: 'hidden' });
		await this.page.getByTestId('credential-edit-button').click();
	}

	/** Adds an option to the opened node. */
	async addOption(name: string): Promise<void> {
		await this.page.getByTestId('collection-parameter-add').click();
		await this.page.getByRole('option', { name, exact: true }).click();
	}

	/** Drags a connection from an output to a node. */
	async connect(from: string, output: number, to: string): Promise<void> {
		const handle = (side: string, node: string) =>
			this.page
				.getByTestId(`canvas-node-${side}-handle`)
				.and(this.page.locator(`[data-node-name="${node}"]`));
		await handle('output', from).nth(output).hover();
		await this.page.mouse.down();
		await this.nodeOnCanvas(to).hover({ force: true });
		await handle('input', to).hover({ force: true });
		await this.page.mouse.up();
	}

	/** Saves, also if the editor has just saved automatically. */
	async save(workflowId: string): Promise<void> {
		const saved = this.page.waitForResponse((response) => {
			const request = response.request();
			if (request.method() !== 'PATCH' || !request.url().includes(workflowId)) return false;
			return !(request.postDataJSON() as { autosaved: boolean }).autosaved;
		});
		await this.page.keyboard.press('Control+s');
		expect((await saved).status()).toBe(200);
	}

	/** Publishes the workflow on the canvas, and closes the window that n8n then opens. */
	async publish(text = 'Got it'): Promise<void> {
		await this.clickPublish();
		const done = this.page.getByTestId('activation-modal');
		await done.getByText(text).waitFor();
		await done.getByRole('button', { name: 'Got it' }).click();
	}

	/** Publishes a published workflow again, after which n8n opens no window. */
	async publishAgain(): Promise<void> {
		await this.clickPublish();
		await this.page.getByRole('button', { name: 'Published' }).waitFor();
	}

	private async clickPublish(): Promise<void> {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		await this.page.getByTestId('workflow-publish-button').click();
	}

	async unpublish(): Promise<void> {
		await this.page.getByTestId('version-menu-button').click();
		await this.page.getByRole('menuitem', { name: 'Unpublish' }).click();
		await this.page
			.getByTestId('workflow-history-version-unpublish-modal')
			.getByRole('button', { name: 'Unpublish' })
			.click();
	}

	/** The input of a parameter of the opened node or credential, by the parameter's name. */
	parameter(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}
}
