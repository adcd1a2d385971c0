// Runs the table of odd but valid requests: accepted, shown as sent, and the same when read again.
import type { ServiceAddress } from "../../support/service";
import { valueAt } from "./oracle";
import { fill, type Values } from "./placeholders";
import { eachOf } from "./run";
import { createPayout, type Scene } from "./scene";
import type { Answer, Sender } from "./send";
import type { OddInput } from "./table";

/** Always of the same length, so that a table can rely on it. */
function referenceOf(index: number): string {
  return `odd-${String(index).padStart(20, "0")}`;
}

function faultsOfBody({ shows = {} }: OddInput["expect"], body: unknown, values: Values): string[] {
  return Object.entries(shows).flatMap(([path, value]) => {
    const expected = typeof value === "string" ? fill(value, values) : value;
    const shown = valueAt(body, path);
    return shown === expected ? [] : [`${path} is ${JSON.stringify(shown)}, not ${JSON.stringify(expected)}`];
  });
}

/** A created or cancelled intent must read as it was answered. */
async function faultsOfReading(sender: Sender, one: OddInput, answer: Answer, values: Values): Promise<string[]> {
  const { id } = JSON.parse(answer.text) as { id?: string };
  if (one.method !== "POST" || id === undefined) return [];
  const path = one.path?.startsWith("/v1/payout_intents/") ? "/v1/payout_intents" : (one.path ?? "");
  const read = await sender.send({ name: "read", method: "GET", path: `${path}/${id}` }, values);
  return read.text === answer.text ? [] : [`reading it gives ${read.text.slice(0, 300)}`];
}

/** Sends every case and returns the faults, each line beginning with the case's name. */
export function runOddInputs(
  service: ServiceAddress,
  sender: Sender,
  cases: readonly OddInput[],
  { key, values }: Scene,
): Promise<string[]> {
  return eachOf(cases, async (one, index) => {
    const needsPayout = one.path?.includes("{{fresh_payout_id}}") ?? false;
    const payout = needsPayout ? (await createPayout(service, key)).id : "";
    const all = { ...values, reference: referenceOf(index), run: "run", fresh_payout_id: payout };
    const answer = await sender.send(one, all);
    if (answer.status !== one.expect.status) return [`${answer.status}: ${answer.text.slice(0, 200)}`];
    const ignored = answer.headers["ignored-parameters"];
    const faults =
      ignored === one.expect.ignored ? [] : [`Ignored-Parameters is ${ignored}, not ${one.expect.ignored}`];
    return [
      ...faults,
      ...faultsOfBody(one.expect, JSON.parse(answer.text), all),
      ...(await faultsOfReading(sender, one, answer, all)),
    ];
  });
}
