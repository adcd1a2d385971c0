// Failing a test whose work has broken an invariant.
import { checkInvariants } from "../check";

/** These ask whether a worker keeps up: where none runs, a test that takes its while would seem to break them. */
const OF_A_WORKER = ["no_intent_is_overdue", "no_audit_entry_waits_long"];

/** Throws, naming every invariant that is broken with its first rows; those that need a worker are left out. */
export async function requireInvariants(): Promise<void> {
  const { checked } = await checkInvariants();
  const broken = checked.filter(({ name, rows }) => rows > 0 && !OF_A_WORKER.includes(name));
  if (broken.length > 0) throw new Error(`broken: ${JSON.stringify(broken, null, 2)}`);
}
