// Sends mail through the operator's SMTP server.
import { BlockList } from "node:net";
import { createTransport } from "nodemailer";
import { env } from "./env";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** A person may be waiting for the answer. */
const TIMEOUT_MS = 10_000;

/** Returns true if the operator has configured an SMTP server. */
export function canSendMail(): boolean {
  return env().smtpUrl !== null;
}

/** A mail was not accepted. Its message is the library's code: the server's answer may name the recipient. */
class MailRefused extends Error {
  override readonly name = "MailRefused";
}

/** Sends one mail. Throws MailRefused if the server does not accept it within 10 s, or offers no TLS outside loopback. */
export async function sendMail({ to, subject, text }: Mail): Promise<void> {
  const { smtpUrl, mailFrom } = env();
  if (smtpUrl === null || mailFrom === null) throw new Error("SMTP_URL is not set");
  const { hostname, port, protocol, username, password } = new URL(smtpUrl);
  const secure = protocol === "smtps:";
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // A mail contains a link that grants access.
    requireTLS: !secure && !isLoopback(hostname),
    ignoreTLS: isLoopback(hostname),
    auth: username === "" ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    // As an object, an address with a comma stays one address.
    await transport.sendMail({ from: mailFrom, to: { name: "", address: to }, subject, text });
  } catch (error) {
    const { code = "unknown", responseCode = "" } = error as { code?: string; responseCode?: number };
    throw new MailRefused(`${code} ${responseCode}`.trim());
  } finally {
    transport.close();
  }
}

function isLoopback(hostname: string): boolean {
  const loopback = new BlockList();
  loopback.addSubnet("127.0.0.0", 8);
  return hostname === "localhost" || hostname === "[::1]" || loopback.check(hostname);
}
