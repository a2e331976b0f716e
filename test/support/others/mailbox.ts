import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** An e-mail that a {@link Mailbox} received. */
export interface Email {
	from: string;
	to: string;
	subject: string;
	text: string;
}

/** A mailbox on this machine, with an SMTP server that takes every login, and e-mails for every address. */
export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

export async function startMailbox() {
	const received: Email[] = [];
	const server = new SMTPServer({
		authOptional: true,
		allowInsecureAuth: true,
		onAuth: ({ username }, _session, done) => done(null, { user: username }),
		disabledCommands: ['STARTTLS'],
		onData(stream, _session, done) {
			text(stream)
				.then((message) => received.push(readEmail(message)))
				.then(() => done(), done);
		},
	});
	const host = '127.0.0.1';
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	const { port } = server.server.address() as AddressInfo;
	return {
		/** The fields of n8n's credential *SMTP account*. */
		credential: { host, port, secure: false, disableStartTls: true },
		/** @returns the e-mails since the last call, in their order */
		take: () => received.splice(0),
		stop: async () => await new Promise<void>((resolve) => server.close(resolve)),
	};
}

/** Reads an e-mail of one plain text in ASCII characters. */
function readEmail(message: string): Email {
	const [, head = '', body = ''] = /^([^]*?)\r\n\r\n([^]*)$/.exec(message) ?? [];
	const headers = head.replace(/\r\n\s+/g, ' ');
	const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(headers)?.[1] ?? '';
	if (!header('Content-Type').startsWith('text/plain')) throw new Error(`Not a text: ${headers}`);
	const isQuoted = header('Content-Transfer-Encoding') === 'quoted-printable';
	const unquoted = isQuoted ? body.replace(/=\r\n/g, '').replace(/=3D/g, '=') : body;
	return {
		from: header('From'),
		to: header('To'),
		subject: header('Subject'),
		text: unquoted.replace(/\r\n/g, '\n'),
	};
}
