// What the search offers for a typed text: pages by their names, and what the service found, in groups.

import { Hash, type LucideIcon, UserRound, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import type { Texts } from "../../i18n/dashboard-texts";
import { countryName } from "../../i18n/names";
import { useTexts } from "../../i18n/use-texts";
import { formatAmount } from "../../money/format-amount";
import { StatusBadge } from "../../ui/status-badge";
import { addressOfId, addressOfPage, PAGES } from "../navigation";
import type { ShellValue } from "../shell-context";
import type { Found } from "./use-found";

export interface SearchOption {
  readonly href: string;
  readonly key: string;
  readonly Icon: LucideIcon;
  readonly title: ReactNode;
  /** The parts of the second line; an object without a reference has null for it. */
  readonly details: readonly (string | null)[];
  /** When it was created, ISO 8601. */
  readonly at?: string;
  readonly end?: ReactNode;
}

export interface OptionGroup {
  readonly title: string;
  readonly options: readonly SearchOption[];
  readonly hasMore: boolean;
}

const iconOf = (path: string): LucideIcon => PAGES.find((page) => page.path === path)?.Icon ?? Hash;

function Sum({ amount, currency }: { readonly amount: string; readonly currency: string }) {
  const texts = useTexts();
  return (
    <span className="figures font-semibold">
      {formatAmount(texts, amount, currency)} <span className="font-medium text-ink-soft">{currency}</span>
    </span>
  );
}

/** Each word of the text begins a word of the page's name, or its environment. Those of this environment come first. */
function pageOptions(texts: Texts, { environment, member }: ShellValue, typed: string): SearchOption[] {
  const other = environment === "test" ? "live" : "test";
  const words = typed.toLowerCase().split(/\s+/);
  const pages = PAGES.filter(({ permission }) => member.permissions.includes(permission));
  return [environment, other].flatMap((name) =>
    pages
      .map((page) => ({ ...page, label: texts(page.labelKey) }))
      .filter(({ label }) => words.every((word) => ` ${label} ${name}`.toLowerCase().includes(` ${word}`)))
      .map(({ label, path, Icon }): SearchOption => {
        const href = addressOfPage(name, { path });
        return {
          href,
          key: href,
          Icon,
          title: label,
          details: [],
          end: name === "live" ? texts("shell.live") : texts("shell.test"),
        };
      }),
  );
}

/** A whole id leads to its page before the service has answered. */
function idOptions(texts: Texts, shell: ShellValue, typed: string): SearchOption[] {
  const href = addressOfId(shell, typed);
  return href
    ? [{ href, key: href, Icon: Hash, title: texts("shell.openTyped", { typed: typed.trim() }), details: [] }]
    : [];
}

const PAGE_OF_INTENT: Readonly<Record<string, string>> = { dord: "payments", word: "payouts", tuin: "topups" };

function foundGroups(texts: Texts, shell: ShellValue, found: Found): OptionGroup[] {
  const base = `/${shell.environment}`;
  const group = <Row extends { readonly id: string }>(
    title: string,
    { data, has_more: hasMore }: { readonly data: readonly Row[]; readonly has_more: boolean },
    option: (row: Row) => Omit<SearchOption, "key">,
  ): OptionGroup => ({ title, hasMore, options: data.map((row) => ({ ...option(row), key: row.id })) });
  return [
    group(texts("shell.payments"), found.payments, (payment) => ({
      href: `${base}/payments/${payment.id}`,
      Icon: iconOf("payments"),
      title: <Sum amount={payment.amount} currency={payment.currency} />,
      details: [payment.merchant_reference],
      at: payment.created_at,
      end: <StatusBadge status={payment.status} />,
    })),
    group(texts("shell.payouts"), found.payouts, (payout) => ({
      href: `${base}/payouts/${payout.id}`,
      Icon: iconOf("payouts"),
      title: <Sum amount={payout.amount} currency={payout.currency} />,
      details: [payout.holder_name, payout.merchant_reference],
      at: payout.created_at,
      end: <StatusBadge status={payout.status} />,
    })),
    group(texts("shell.topups"), found.topups, (topup) => ({
      href: `${base}/topups/${topup.id}`,
      Icon: iconOf("topups"),
      title: <Sum amount={topup.amount} currency={topup.currency} />,
      details: [
        topup.merchant_reference,
        texts("shell.payerSends", {
          amount: formatAmount(texts, topup.source_amount, topup.source_currency),
          sourceCurrency: topup.source_currency,
        }),
      ],
      at: topup.created_at,
      end: <StatusBadge status={topup.status} />,
    })),
    group(texts("shell.recipients"), found.recipients, (recipient) => ({
      href: `${base}/payouts/recipients`,
      Icon: UserRound,
      title: recipient.holder_name,
      details: [
        texts("shell.accountEnding", { accountLast4: recipient.account_last4 }),
        countryName(texts.language, recipient.country),
        recipient.currency,
      ],
    })),
    group(texts("shell.events"), found.events, (event) => ({
      // Members who do not integrate see what the event is about.
      href:
        addressOfId(shell, event.id) ??
        `${base}/${PAGE_OF_INTENT[event.intent_id.split("_")[0] ?? ""]}/${event.intent_id}`,
      Icon: Webhook,
      title: event.type,
      details: [event.id],
      at: event.created_at,
    })),
  ];
}

/**
 * The groups with options. Pages come first: they are here at once, and what arrives later moves none of them. What the
 * service found replaces the option of a pasted id.
 */
export function optionGroups(texts: Texts, shell: ShellValue, typed: string, found: Found | undefined): OptionGroup[] {
  const answered = found ? foundGroups(texts, shell, found) : [];
  const hrefs = new Set(answered.flatMap(({ options }) => options.map(({ href }) => href)));
  const pasted = idOptions(texts, shell, typed).filter(({ href }) => !hrefs.has(href));
  return [
    { title: texts("shell.id"), options: pasted, hasMore: false },
    { title: texts("shell.pages"), options: pageOptions(texts, shell, typed.trim()), hasMore: false },
    ...answered,
  ].filter(({ options }) => options.length > 0);
}
