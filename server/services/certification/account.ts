// The steps about the key and the account.
import type { PaymentMethod } from "@/server/domain/payment-methods";
import type { Gateway, ProviderInspection } from "@/server/psp/gateway";
import { announced, ask, type Course, call, described, isSilent, newPayment, type Outcome, poll } from "./course";
import { failed, notPossible, passed } from "./step";

/** Checks the configuration, as `providers check` does. */
export async function certifyAccount({ step }: Course, inspect: ProviderInspection | undefined): Promise<void> {
  await step("account", "key and account", async () => {
    const findings = inspect ? await ask(inspect) : [];
    if (!findings) return failed("the provider did not answer in time");
    const fault = findings.find(({ level }) => level === "fault");
    if (fault) return failed(fault.text);
    return passed(findings.map(({ level, text }) => `${level}: ${text}`).join("; "));
  });
}

/** How an API refuses a key: by a status of HTTP, or in words of its adapter where the status says less. */
const REFUSED_KEY = /status 40[13]\b|refuses the key/;

/** Calls about an object that was never sent. */
export interface Probe {
  create(gateway: Gateway): Promise<Outcome>;
  look(gateway: Gateway): Promise<readonly Outcome[]>;
}

/** Calls about a payment that was never sent. */
export function paymentProbe(course: Course, method: PaymentMethod): Probe {
  const request = newPayment(course, method);
  return {
    create: (gateway) => call((signal) => gateway.createPayment(announced(request), signal)),
    look: (gateway) => poll((signal) => gateway.queryPayment(request, signal, request.createdAt)),
  };
}

const NOTHING_OFFERED = notPossible("the entry offers no payment method and no top-up");

/** A key that the provider does not know creates nothing, and what it answers proves nothing. */
export async function certifyWrongKey({ step, wrongKey }: Course, probe: Probe | null): Promise<void> {
  await step("account", "wrong key", async () => {
    if (!probe) return NOTHING_OFFERED;
    const created = await probe.create(wrongKey);
    if (!isSilent(created)) return failed(`an object was created with a wrong key: ${described(created)}`);
    const [first] = await probe.look(wrongKey);
    if (first?.kind !== "unknown") return failed(`a poll with a wrong key says ${first?.kind ?? "that it exists"}`);
    const answer = described(first);
    return REFUSED_KEY.test(answer) ? passed(answer) : failed(`the provider did not refuse the key: ${answer}`);
  });
}

/** A reference that was never sent is not known. Runs after the account has an object, which proves the account. */
export async function certifyUnknownReference({ step, gateway }: Course, probe: Probe | null): Promise<void> {
  await step("account", "unknown reference", async () => {
    if (!probe) return NOTHING_OFFERED;
    const [first] = await probe.look(gateway);
    if (first?.kind === "never_accepted") return passed("the provider does not know it");
    return failed(`the provider should not know it, but says ${first ? described(first) : "that it exists"}`);
  });
}
