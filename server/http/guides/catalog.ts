// The documents that `/docs` serves, in the order of its navigation. Those about changing the code are not among them.

/** A document: the name of its file under docs/ without `.md`, which is also the end of its address under /docs/. */
export type GuideName = (typeof GROUPS)[number]["guides"][number]["name"];

export const GROUPS = [
  {
    title: "Integrate",
    guides: [
      {
        name: "quickstart",
        title: "Quickstart",
        lead: "From the first start to payments, payouts, top-ups and verified webhooks.",
      },
      {
        name: "api",
        title: "Notes on the API",
        lead: "What a schema cannot express: errors, retries, money, states, lists and the test clock.",
      },
      {
        name: "webhooks",
        title: "Receiving webhooks",
        lead: "How messages are signed, delivered and repeated, and how to verify them.",
      },
      {
        name: "client",
        title: "Typed client",
        lead: "Retries, lists, waiting and webhooks from TypeScript and JavaScript.",
      },
      {
        name: "developer-cli",
        title: "Developer command line",
        lead: "Forward events to your machine, cause test events and see your calls, with an API key alone.",
      },
      {
        name: "topups",
        title: "Top-ups",
        lead: "How a wallet is funded: quotes, networks, partial and late payments.",
      },
    ],
  },
  {
    title: "Work in the dashboard",
    guides: [
      {
        name: "dashboard",
        title: "Dashboard",
        lead: "What members see and do, and who may do what.",
      },
      {
        name: "notifications",
        title: "Notifications",
        lead: "What people hear of by mail, in chat or by signed webhook, and when.",
      },
      {
        name: "approvals",
        title: "Approvals",
        lead: "Which payouts wait for people, for whom, and for how long.",
      },
      {
        name: "payout-limits",
        title: "Payout limits",
        lead: "What a leaked key or a single person can send at the most.",
      },
      {
        name: "screening",
        title: "Screening",
        lead: "How to ask a service of yours before a payout is sent.",
      },
      {
        name: "reconciliation",
        title: "Exceptions and reconciliation",
        lead: "How to handle exceptions, compare settlement files, and read statements.",
      },
    ],
  },
  {
    title: "Connect a provider",
    guides: [
      {
        name: "providers",
        title: "Providers",
        lead: "How Sluice reaches payment service providers, and how to configure them.",
      },
      {
        name: "providers/paystack",
        title: "Paystack",
        lead: "Keys, webhooks, coverage and limits of the adapter for Paystack.",
      },
      {
        name: "providers/stripe",
        title: "Stripe",
        lead: "Keys, webhooks, coverage and limits of the adapter for Stripe.",
      },
      {
        name: "providers/xendit",
        title: "Xendit",
        lead: "Keys, webhooks, coverage and limits of the adapter for Xendit.",
      },
      {
        name: "providers/btcpay",
        title: "BTCPay",
        lead: "Keys, webhooks, coverage and limits of the adapter for BTCPay Server.",
      },
      {
        name: "providers/dlocal",
        title: "dLocal",
        lead: "Keys, notifications, coverage and limits of the adapter for dLocal.",
      },
      {
        name: "provider-protocol",
        title: "Provider protocol",
        lead: "How to connect a provider for which Sluice has no adapter.",
      },
      {
        name: "provider-reports",
        title: "Provider reports",
        lead: "What each report of a provider does in each state.",
      },
    ],
  },
  {
    title: "Operate",
    guides: [
      {
        name: "deployment",
        title: "Deployment",
        lead: "Compose, Kubernetes or a tarball.",
      },
      {
        name: "operating",
        title: "Operating",
        lead: "Every variable, secrets, processes, limits, retention and restores.",
      },
      {
        name: "scaling",
        title: "Scaling",
        lead: "From one machine to many databases: what each step costs.",
      },
      {
        name: "command-line",
        title: "Command line",
        lead: "Merchants, keys, members, money and exceptions from a terminal.",
      },
      {
        name: "backups",
        title: "Backups",
        lead: "How to back up and restore without paying anything twice.",
      },
      {
        name: "runbooks",
        title: "Runbooks",
        lead: "What to do when it is urgent.",
      },
      {
        name: "monitoring",
        title: "Monitoring",
        lead: "Metrics, alerts and a dashboard for Prometheus and Grafana.",
      },
      {
        name: "slo",
        title: "Objectives",
        lead: "Service level objectives, and alerts on their budgets.",
      },
      {
        name: "security",
        title: "Security",
        lead: "What Sluice protects, by which control, and which test shows it.",
      },
      {
        name: "audit",
        title: "Audit log",
        lead: "What the audit log holds, and how to check its chain.",
      },
      {
        name: "invariants",
        title: "Invariants",
        lead: "What must hold in the database at any time, and how to check it.",
      },
    ],
  },
] as const;

/** The names of all served documents. */
export const GUIDE_NAMES: readonly GuideName[] = GROUPS.flatMap(({ guides }) => guides.map(({ name }) => name));

/** Returns the name of a served document, or null. */
export function asGuideName(text: string): GuideName | null {
  return GUIDE_NAMES.find((name) => name === text) ?? null;
}

/** Returns the address of a document. */
export function addressOfGuide(name: GuideName): string {
  return `/docs/${name}`;
}
