// The acts that require a one-time code, for owners and admins.
"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleSlash } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { stepUpWordsIn } from "../account/step-up-words";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { TextLink } from "../ui/text-link";

const StepUpDialog = lazy(() => import("./step-up-dialog"));

export function StepUpPanel() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const [isChanging, setChanging] = useState(false);
  const { data, error } = useQuery(trpc.members.stepUp.queryOptions({ environment }));
  return (
    <section aria-labelledby="step-up" className="grid min-w-0 gap-3">
      <h2 id="step-up" className="text-lg">
        {texts("members.twoFactorRequirements")}
      </h2>
      <Panel className="grid gap-4">
        <p className="max-w-prose text-sm text-ink-soft">{texts("members.requirementsAbout")}</p>
        {error ? (
          <Notice tone="bad" role="alert">
            {failureOf(texts, error).message}
          </Notice>
        ) : null}
        {data ? (
          <ul className="grid gap-3">
            {data.acts.map(({ act, is_required: isRequired, members, with_second_factor: withSecondFactor }) => (
              <li key={act} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
                <span>
                  <span className="block font-medium first-letter:uppercase">{stepUpWordsIn(texts)[act] ?? act}</span>
                  <span className="text-ink-soft">
                    {texts("members.factorsOfMembers", {
                      withSecondFactor,
                      members,
                    })}
                  </span>
                </span>
                {isRequired ? (
                  <Badge tone="good" Icon={CircleCheck} label={texts("members.required")} />
                ) : (
                  <Badge tone="over" Icon={CircleSlash} label={texts("members.notRequired")} />
                )}
              </li>
            ))}
          </ul>
        ) : null}
        {data?.is_set_up === true ? (
          <Button size="medium" className="justify-self-start" onClick={() => setChanging(true)}>
            {texts("members.openChange")}
          </Button>
        ) : null}
        {data?.is_set_up === false ? (
          <p className="text-sm">
            {texts.rich("members.factorFirst", {
              textLink: (words) => <TextLink href={`/${environment}/account`}>{words}</TextLink>,
            })}
          </p>
        ) : null}
      </Panel>
      <Suspense>
        {isChanging && data ? <StepUpDialog acts={data.acts} onClose={() => setChanging(false)} /> : null}
      </Suspense>
    </section>
  );
}
