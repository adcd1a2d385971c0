// What this process asks its databases.
import { Client } from "pg";
import { vi } from "vitest";

/** The texts of the statements that reach any database during `work`, in their order. */
export async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const texts: string[] = [];
  const own = Client.prototype.query as (this: Client, ...given: unknown[]) => unknown;
  const spy = vi.spyOn(Client.prototype, "query").mockImplementation(function (this: Client, ...given: unknown[]) {
    const [first] = given as [string | { readonly text: string }];
    texts.push(typeof first === "string" ? first : first.text);
    return own.apply(this, given) as never;
  } as never);
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return texts;
}
