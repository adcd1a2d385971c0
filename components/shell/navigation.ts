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
import type { TextKey } from "../i18n/dashboard-texts";
import type { ShellValue } from "./shell-context";

export const GROUPS = ["money", "developers", "control"] as const;
export type Group = (typeof GROUPS)[number];

export interface DashboardPage {
  /** The path below the environment; empty for the overview. */
  readonly path: string;
  readonly labelKey: TextKey;
  readonly Icon: LucideIcon;
  /** The key after `g`. */
  readonly chord: string;
  /** The required permission, by its name in the matrix of roles. */
  readonly permission: string;
  readonly group: Group;
}

export const PAGES: readonly DashboardPage[] = [
  {
    path: "",
    labelKey: "shell.overview",
    Icon: LayoutDashboard,
    chord: "o",
    permission: "read_intents",
    group: "money",
  },
  {
    path: "payouts",
    labelKey: "shell.payouts",
    Icon: ArrowUpRight,
    chord: "p",
    permission: "read_intents",
    group: "money",
  },
  {
    path: "payments",
    labelKey: "shell.payments",
    Icon: ArrowDownLeft,
    chord: "i",
    permission: "read_intents",
    group: "money",
  },
  { path: "topups", labelKey: "shell.topups", Icon: Banknote, chord: "t", permission: "read_intents", group: "money" },
  { path: "wallet", labelKey: "shell.wallet", Icon: Wallet, chord: "b", permission: "read_wallets", group: "money" },
  {
    path: "exceptions",
    labelKey: "shell.exceptions",
    Icon: TriangleAlert,
    chord: "e",
    permission: "decide_exceptions",
    group: "money",
  },
  {
    path: "reconciliation",
    labelKey: "shell.reconciliation",
    Icon: Scale,
    chord: "r",
    permission: "read_reconciliation",
    group: "money",
  },
  {
    path: "providers",
    labelKey: "shell.providers",
    Icon: Landmark,
    chord: "v",
    permission: "read_providers",
    group: "money",
  },
  {
    path: "webhooks",
    labelKey: "shell.webhooks",
    Icon: Webhook,
    chord: "w",
    permission: "read_catalogue",
    group: "developers",
  },
  {
    path: "developers/keys",
    labelKey: "shell.apiKeys",
    Icon: KeyRound,
    chord: "k",
    permission: "manage_keys",
    group: "developers",
  },
  {
    path: "developers/logs",
    labelKey: "shell.apiLogs",
    Icon: ScrollText,
    chord: "l",
    permission: "read_api_logs",
    group: "developers",
  },
  {
    path: "policies",
    labelKey: "shell.approvalPolicy",
    Icon: ShieldCheck,
    chord: "y",
    permission: "read_policies",
    group: "control",
  },
  {
    path: "members",
    labelKey: "shell.members",
    Icon: Users,
    chord: "m",
    permission: "manage_members",
    group: "control",
  },
  {
    path: "settings",
    labelKey: "shell.settings",
    Icon: Settings,
    chord: "s",
    permission: "read_settings",
    group: "control",
  },
  { path: "audit", labelKey: "shell.auditLog", Icon: History, chord: "a", permission: "read_audit", group: "control" },
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
