// One version of an approval policy: its rules in words, and who proposed and confirmed it.

import type { ReactNode } from "react";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { LocalTime } from "../time/local-time";
import { Panel } from "../ui/panel";
import { type PolicyVersion, policyLines } from "./policy";

interface PolicyCardProps {
  readonly title: string;
  readonly version: PolicyVersion;
  readonly children?: ReactNode;
}

export function PolicyCard({ title, version, children }: PolicyCardProps) {
  const texts = useTexts();
  const { policy, proposed_by: by, proposed_at: proposedAt, decided_by: decidedBy, decided_at: decidedAt } = version;
  return (
    <Panel className="grid gap-4">
      <h2 className="flex flex-wrap items-baseline justify-between gap-x-4 text-lg">
        {title}
        <span className="text-sm font-normal text-ink-soft">
          {texts("policies.versionVersion", { version: version.version })}
        </span>
      </h2>
      <dl className="grid text-sm">
        {policyLines(texts, policy).map(({ condition, approvals }) => (
          <div
            key={condition}
            className="flex flex-wrap justify-between gap-x-6 border-t border-line py-2 first:border-t-0"
          >
            <dt>{condition}</dt>
            <dd className="figures font-medium">{approvals}</dd>
          </div>
        ))}
      </dl>
      {policy.rules.length > 1 ? <p className="caption">{texts("policies.severalMatch")}</p> : null}
      <p className="text-xs text-ink-soft">
        {by.type === "operator"
          ? texts("policies.defaultPolicy")
          : texts("policies.proposedByActor", { actor: actorText(texts, by) })}
        , <LocalTime iso={proposedAt} />
        {decidedBy !== null && decidedAt !== null ? (
          <>
            {texts.rich("policies.confirmedByActor", {
              actor: actorText(texts, decidedBy),
              localTime: () => <LocalTime iso={decidedAt} />,
            })}
          </>
        ) : null}
      </p>
      {children}
    </Panel>
  );
}
