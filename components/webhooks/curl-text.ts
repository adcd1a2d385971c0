// A command that sends a message again from the developer's own machine.

interface SentMessage {
  readonly url: string;
  /** The event's id, sent as `webhook-id`. */
  readonly eventId: string;
  /** As it was signed, byte for byte. */
  readonly body: string;
}

/** The text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The command, for any POSIX shell with curl and openssl. It signs the message for this moment with the secret in
 * `SLUICE_WEBHOOK_SECRET`, because a receiver rejects signatures that are older than five minutes. It contains no secret.
 */
export function curlText({ url, eventId, body }: SentMessage): string {
  return [
    "# SLUICE_WEBHOOK_SECRET is the secret of the endpoint, whsec_…",
    `body=${quoted(body)}`,
    "timestamp=$(date +%s)",
    `key=$(printf %s "\${SLUICE_WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
    `signature=$(printf %s ${quoted(eventId)}".$timestamp.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)`,
    `curl ${quoted(url)} \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -H ${quoted(`webhook-id: ${eventId}`)} \\`,
    '  -H "webhook-timestamp: $timestamp" \\',
    '  -H "webhook-signature: v1,$signature" \\',
    '  --data-raw "$body"',
  ].join("\n");
}
