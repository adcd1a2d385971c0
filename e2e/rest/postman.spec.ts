// The collection for Postman and Bruno: each of its requests succeeds, with the ids that other requests keep.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import type { Collection, Request } from "../documents/postman/collection";
import { startReceiver } from "../support/receiver";
import { PROJECT_ROOT } from "../support/service-process";
import { expect, test } from "./parties";
import { createEndpoint, endedPayment } from "./webhook-calls";

const PASSES = 30;

/** Runs a request's script with the answer, as Postman does. */
function keep(request: Request, answer: unknown, variables: Map<string, string>): void {
  const pm = {
    response: { json: () => answer },
    collectionVariables: { set: (name: string, value: string) => variables.set(name, value) },
  };
  for (const { script } of request.event ?? []) runInNewContext(script.exec.join("\n"), { pm });
}

test("each request of docs/postman.json succeeds", async ({ api, ownMerchant, service }) => {
  const collection = JSON.parse(readFileSync(join(PROJECT_ROOT, "docs/postman.json"), "utf8")) as Collection;
  const receiver = await startReceiver();
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  variables.set("base_url", `${service.baseUrl}/v1`);
  variables.set("webhook_url", receiver.url);
  const { publicKey, secretKey } = ownMerchant.keys.test;
  const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString("base64")}`;

  /** Returns null if it needs an id that no request has kept yet. */
  function filled(text: string): string | null {
    const dynamic: Readonly<Record<string, string>> = { $guid: randomUUID(), $isoTimestamp: new Date().toISOString() };
    const filledIn = text.replace(
      /\{\{([$\w]+)\}\}/g,
      (_, name: string) => dynamic[name] ?? (variables.get(name) || "\0"),
    );
    return filledIn.includes("\0") ? null : filledIn;
  }

  /** Returns the status; null if it could not be sent. */
  async function send(one: Request): Promise<string | null> {
    const { method, auth, header, url, body } = one.request;
    const address = filled(url.raw);
    const text = body ? filled(body.raw) : undefined;
    if (address === null || text === null) return null;
    const headers = header.map(({ key, value }): [string, string] => [key, filled(value) ?? ""]);
    const response = await fetch(address, {
      method,
      headers: [...headers, ...(auth ? [] : [["Authorization", authorization] as [string, string]])],
      ...(text === undefined ? {} : { body: text }),
    });
    const answer = (await response.json()) as unknown;
    if (response.ok) keep(one, answer, variables);
    return response.ok ? "ok" : `${response.status} ${JSON.stringify(answer)}`;
  }

  try {
    await createEndpoint(api, receiver.url);
    await endedPayment(api);
    let left = collection.item.flatMap(({ item }) => item);
    const outcomes = new Map<string, string | null>();
    for (let pass = 0; pass < PASSES && left.length > 0; pass += 1) {
      for (const one of left) outcomes.set(one.name, await send(one));
      left = left.filter(({ name }) => outcomes.get(name) !== "ok");
    }
    expect(Object.fromEntries(left.map(({ name }) => [name, outcomes.get(name)]))).toEqual({});
  } finally {
    await receiver.stop();
  }
});
