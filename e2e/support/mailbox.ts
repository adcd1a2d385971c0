// A real SMTP server that keeps what it receives.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface Mailbox {
  readonly url: string;
  /** The texts of the mails to an address, with their headers. */
  mailsTo(address: string): readonly string[];
  close(): Promise<void>;
}

/** Starts on a free port of 127.0.0.1. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: { readonly to: readonly string[]; readonly text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, text: Buffer.concat(chunks).toString("utf8") });
        done();
      });
    },
  });
  // A client that is killed in the middle of a mail.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mailsTo: (address) => mails.filter(({ to }) => to.includes(address)).map(({ text }) => text),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
