// The step about callbacks: a signed one that names our reference arrives.
import { type Course, until } from "./course";
import { failed, notPossible, passed } from "./step";

/** Waits for a callback about the reference. Runs after something has happened to it. */
export async function certifyCallback(course: Course, subject: string, reference: string): Promise<void> {
  const { inbox, step } = course;
  await step(subject, "callback", async () => {
    if (!inbox) return notPossible("nothing received callbacks: see --callbacks");
    const isHere = await until(course, () => (inbox.has(reference) ? true : null));
    if (isHere && inbox.provesOnlySender) {
      return passed(
        "a callback with a token names the reference; the token does not cover its body, so it is only a hint",
      );
    }
    if (isHere) return passed("a signed callback names the reference; changing its body invalidates it");
    const rejected = inbox.rejected();
    return failed(
      rejected === 0
        ? "no callback about it arrived"
        : `no callback about it arrived with a valid signature; ${rejected} were rejected`,
    );
  });
}
