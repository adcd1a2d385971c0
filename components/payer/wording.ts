import type { PayerPage } from "@/server/contract/payer";

export interface Wording {
  readonly title: string;
  readonly text: string;
  /** Replaces the status's usual name, which payers do not know. */
  readonly badge: string;
}

const FAILURES: Readonly<Record<string, Wording>> = {
  provider_declined: {
    title: "The payment was declined",
    text: "Nothing was taken. Go back to the shop to try again or to pay in another way.",
    badge: "Declined",
  },
  cancelled: {
    title: "The payment was cancelled",
    text: "Nothing was taken. Go back to the shop if you want to pay after all.",
    badge: "Cancelled",
  },
};

const OTHER_FAILURE: Wording = {
  title: "The payment could not be made",
  text: "Nothing was taken. Go back to the shop to try again or to pay in another way.",
  badge: "Not paid",
};

const ACTIONS = {
  qr: { title: "Scan to pay", text: "Open your bank's app, scan the code and confirm the amount." },
  bank_transfer: {
    title: "Pay by bank transfer",
    text: "Send exactly this amount, with this reference, to the account below.",
  },
  redirect: { title: "Continue to pay", text: "The payment is confirmed with the provider." },
} as const;

/** The page's texts about the payment in its present state. */
export function wordingOf(page: PayerPage): Wording {
  switch (page.status) {
    case "requires_action":
      return { ...ACTIONS[page.instructions?.type ?? "redirect"], badge: "Waiting for you" };
    case "processing":
      return {
        title: "One moment",
        text: "The provider has not answered yet. This page shows the news as soon as there is some.",
        badge: "In progress",
      };
    case "succeeded":
      return { title: "Paid", text: `${page.merchantName} has your payment. You can close this page.`, badge: "Paid" };
    case "expired":
      return {
        title: "The time to pay is over",
        text: "Do not pay with this code or account any more. Go back to the shop to start again.",
        badge: "Expired",
      };
    case "failed":
      return FAILURES[page.failureCode ?? ""] ?? OTHER_FAILURE;
  }
}
