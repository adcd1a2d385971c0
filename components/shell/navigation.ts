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
  Settings,
  ShieldCheck,
  TriangleAlert,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";
import type { ShellValue } from "./shell-context";

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
  { path: "settings", label: "Settings", Icon: Settings, chord: "s", permission: "read_settings", group: "Control" },
  { path: "audit", label: "Audit log", Icon: History, chord: "a", permission: "read_audit", group: "Control" },
];

/** The address of a page in an environment. */
export function addressOfPage(environment: string, { path }: Pick<DashboardPage, "path">): string {
  return path === "" ? `/${environment}` : `/${environment}/${path}`;
}

/** Prefix of an id → the page that shows the object, and the permission that opens it. */
const OWNERS: Readonly<Record<string, readonly [path: string, permission: string]>> = {
  word: ["payouts", "read_intents"],
  pbt: ["payouts/batches", "read_intents"],
  dord: ["payments", "read_intents"],
  tuin: ["topups", "read_intents"],
  we: ["webhooks/endpoints", "manage_webhooks"],
  evt: ["webhooks/events", "manage_webhooks"],
  req: ["developers/logs", "read_api_logs"],
};

/** The address of the object with a typed or pasted id; null for any other text, and if the member may not open it. */
export function addressOfId({ environment, member }: Pick<ShellValue, "environment" | "member">, text: string) {
  const [, id, prefix = ""] = /^\s*(([a-z]+)_[0-9a-z]{26})\s*$/.exec(text) ?? [];
  const [path, permission = ""] = OWNERS[prefix] ?? [];
  return path && member.permissions.includes(permission) ? `/${environment}/${path}/${id}` : null;
}
