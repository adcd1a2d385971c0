import { checkInvariants } from "../check";

/** These check that a worker keeps up; a slow test without a worker would seem to break them. */
const OF_A_WORKER = ["no_intent_is_overdue", "no_audit_entry_waits_long"];

/** Throws with every broken invariant and its first rows; skips those that need a worker. */
export async function requireInvariants(): Promise<void> {
  const { checked } = await checkInvariants();
  const broken = checked.filter(({ name, rows }) => rows > 0 && !OF_A_WORKER.includes(name));
  if (broken.length > 0) throw new Error(`broken: ${JSON.stringify(broken, null, 2)}`);
}
