// The client of this shop's merchant. Keys stay on the server.
import { Sluice } from "@sluice/client";

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`set ${name}`);
  return value;
}

let client: Sluice | undefined;

/** The client, created when it is first needed: a build has no keys. */
export function sluice(): Sluice {
  client ??= new Sluice({
    baseUrl: variable("SLUICE_BASE_URL"),
    publicKey: variable("SLUICE_PUBLIC_KEY"),
    secretKey: variable("SLUICE_SECRET_KEY"),
  });
  return client;
}

/** The secret that verifies webhooks. */
export function webhookSecret(): string {
  return variable("SLUICE_WEBHOOK_SECRET");
}
