import type { PayerPage } from "@/server/contract/payer";
import type { PayerTexts } from "../i18n/texts";

export interface Wording {
  readonly title: string;
  readonly text: string;
  /** Replaces the status's usual name, which payers do not know. */
  readonly badge: string;
}

const KNOWN_FAILURES = ["provider_declined", "cancelled"] as const;

/** The page's texts about the payment in its present state. */
export function wordingOf(page: PayerPage, texts: PayerTexts): Wording {
  const ended = (state: (typeof KNOWN_FAILURES)[number] | "processing" | "succeeded" | "expired" | "failed") => ({
    title: texts(`state.${state}.title`),
    text: texts(`state.${state}.text`, { merchant: page.merchantName }),
    badge: texts(`state.${state}.badge`),
  });
  switch (page.status) {
    case "requires_action": {
      const action = page.instructions?.type ?? "redirect";
      return {
        title: texts(`state.${action}.title`),
        text: texts(`state.${action}.text`),
        badge: texts("state.waiting.badge"),
      };
    }
    case "failed":
      return ended(KNOWN_FAILURES.find((code) => code === page.failureCode) ?? "failed");
    default:
      return ended(page.status);
  }
}
