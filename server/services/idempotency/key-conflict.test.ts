// A failed transaction is a key conflict only if another execution has stored the key's answer.
import { expect, it } from "vitest";
import { KeyConflict, orKeyConflict } from "./once";

/** An error as node-postgres throws it. */
function refusedBy(constraint: string): Error {
  const message = `duplicate key value violates unique constraint "${constraint}"`;
  return Object.assign(new Error(message), { code: "23505", severity: "ERROR", constraint });
}

it("a second answer under the key is a conflict", async () => {
  await expect(orKeyConflict(Promise.reject(refusedBy("idempotency_seal_pkey")))).rejects.toBeInstanceOf(KeyConflict);
});

it("any other failure is passed on as it is", async () => {
  for (const failure of [refusedBy("idempotency_key_pkey"), new Error("idempotency_seal_pkey")]) {
    await expect(orKeyConflict(Promise.reject(failure))).rejects.toBe(failure);
  }
});

it("a result is passed on", async () => {
  expect(await orKeyConflict(Promise.resolve("done"))).toBe("done");
});
