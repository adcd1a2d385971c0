// Sends the requests of a table, several at a time, and judges each answer.
import { createJudge } from "./judge";
import type { Values } from "./placeholders";
import type { Sender } from "./send";
import type { BadInput, TableRequest } from "./table";

export const CONNECTIONS = 8;

/** Processes the list with CONNECTIONS at a time and returns all faults in no particular order. */
export async function eachOf<Case extends TableRequest>(
  cases: readonly Case[],
  work: (one: Case, index: number) => Promise<readonly string[]>,
): Promise<string[]> {
  const faults: string[] = [];
  let next = 0;
  const worker = async () => {
    while (next < cases.length) {
      const index = next;
      next += 1;
      const one = cases[index] as Case;
      const found = await work(one, index).catch((error: unknown) => [String(error)]);
      faults.push(...found.map((fault) => `${one.name}: ${fault}`));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return faults;
}

/** Sends every case of a table and returns the faults, each line beginning with the case's name. */
export function runBadInputs(
  sender: Sender,
  category: string,
  cases: readonly BadInput[],
  values: Values,
): Promise<string[]> {
  const faultsOf = createJudge();
  return eachOf(cases, async (one, index) => {
    const answer = await sender.send(one, { ...values, reference: `bad-${category}-${index}` });
    return faultsOf(answer, one.expect, one.raw !== undefined);
  });
}
