// The dashboard's pages. Side navigation, search and `g` chords are derived from this table.
import {
  ArrowDownLeft,
  ArrowUpRight,
  Banknote,
  History,
  KeyRound,
  Landmark,
  LayoutDashboard,
  type LucideIcon,
  Scale,
  ScrollText,
  ShieldCheck,
  TriangleAlert,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";

export const GROUPS = ["Money", "Developers", "Control"] as const;
export type Group = (typeof GROUPS)[number];

export interface DashboardPage {
  /** The path below the environment; empty for the overview. */
  readonly path: string;
  readonly label: string;
  readonly Icon: LucideIcon;
  /** The key after `g`. */
  readonly chord: string;
  /** The required permission, by its name in the matrix of roles. */
  readonly permission: string;
  readonly group: Group;
}

export const PAGES: readonly DashboardPage[] = [
  { path: "", label: "Overview", Icon: LayoutDashboard, chord: "o", permission: "read_intents", group: "Money" },
  { path: "payouts", label: "Payouts", Icon: ArrowUpRight, chord: "p", permission: "read_intents", group: "Money" },
  { path: "payments", label: "Payments", Icon: ArrowDownLeft, chord: "i", permission: "read_intents", group: "Money" },
  { path: "topups", label: "Top-ups", Icon: Banknote, chord: "t", permission: "read_intents", group: "Money" },
  { path: "wallet", label: "Wallet", Icon: Wallet, chord: "b", permission: "read_wallets", group: "Money" },
  {
    path: "exceptions",
    label: "Exceptions",
    Icon: TriangleAlert,
    chord: "e",
    permission: "decide_exceptions",
    group: "Money",
  },
  {
    path: "reconciliation",
    label: "Reconciliation",
    Icon: Scale,
    chord: "r",
    permission: "read_reconciliation",
    group: "Money",
  },
  {
    path: "providers",
    label: "Providers",
    Icon: Landmark,
    chord: "v",
    permission: "read_providers",
    group: "Money",
  },
  {
    path: "webhooks",
    label: "Webhooks",
    Icon: Webhook,
    chord: "w",
    permission: "read_catalogue",
    group: "Developers",
  },
  {
    path: "developers/keys",
    label: "API keys",
    Icon: KeyRound,
    chord: "k",
    permission: "manage_keys",
    group: "Developers",
  },
  {
    path: "developers/logs",
    label: "API logs",
    Icon: ScrollText,
    chord: "l",
    permission: "read_api_logs",
    group: "Developers",
  },
  {
    path: "policies",
    label: "Approval policy",
    Icon: ShieldCheck,
    chord: "y",
    permission: "read_policies",
    group: "Control",
  },
  { path: "members", label: "Members", Icon: Users, chord: "m", permission: "manage_members", group: "Control" },
  { path: "audit", label: "Audit log", Icon: History, chord: "a", permission: "read_audit", group: "Control" },
];

/** The address of a page in an environment. */
export function addressOfPage(environment: string, { path }: Pick<DashboardPage, "path">): string {
  return path === "" ? `/${environment}` : `/${environment}/${path}`;
}

/** Prefix of an id → the page that shows the object. */
const OWNERS: Readonly<Record<string, string>> = {
  word: "payouts",
  pbt: "payouts/batches",
  dord: "payments",
  tuin: "topups",
  we: "webhooks/endpoints",
  req: "developers/logs",
};

/** The address of the object with a typed or pasted id; null for any other text. */
export function addressOfId(environment: string, text: string): string | null {
  const id = /^\s*((word|pbt|dord|tuin|we|req)_[0-9a-z]{26})\s*$/.exec(text);
  return id ? `/${environment}/${OWNERS[id[2] ?? ""]}/${id[1]}` : null;
}
