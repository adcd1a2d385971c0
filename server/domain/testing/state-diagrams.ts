import { PAYMENT_TRANSITIONS } from "../payment-transitions";
import { PAYOUT_TRANSITIONS } from "../payout-transitions";
import { TOPUP_TRANSITIONS } from "../topup-transitions";

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Triggers between the same two statuses share one arrow; the order is the table's. */
function arrowsOf(table: Table): string[] {
  return Object.entries(table).flatMap(([from, edges]) => {
    const targets = [...new Set(Object.values(edges))];
    if (targets.length === 0) return [`  ${from} --> [*]`];
    return targets.map((to) => {
      const triggers = Object.keys(edges).filter((trigger) => edges[trigger] === to);
      return `  ${from} --> ${to}: ${triggers.join("<br/>")}`;
    });
  });
}

function section(title: string, table: Table, firstStatuses: readonly string[]): string {
  const lines = ["stateDiagram-v2", ...firstStatuses.map((status) => `  [*] --> ${status}`), ...arrowsOf(table)];
  return `## ${title}\n\n\`\`\`mermaid\n${lines.join("\n")}\n\`\`\`\n`;
}

/** Builds docs/states.md from the transition tables of the domain. */
export function stateDiagrams(): string {
  return [
    `# States of intents

This page is generated from the transition tables in \`server/domain\`; \`npm run reports\` writes it, and a test
compares it. Labels are triggers: [what each report does](provider-reports.md) says which report causes which trigger.
`,
    section("Payment intents", PAYMENT_TRANSITIONS, ["processing"]),
    section("Payout intents", PAYOUT_TRANSITIONS, ["requires_approval", "processing"]),
    section("Top-up intents", TOPUP_TRANSITIONS, ["requires_payment"]),
  ].join("\n");
}
