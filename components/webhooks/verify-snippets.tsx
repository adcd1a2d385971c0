// The code that verifies a message, one language at a time; loaded when it is opened.
"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { ChoiceButton } from "../ui/choice-button";
import { CodeBlock } from "../ui/code-block";

export default function VerifySnippets() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.webhookEvents.verification.queryOptions({ environment }));
  const [language, setLanguage] = useState<string | null>(null);
  const snippet = data.find((one) => one.language === language) ?? data[0];
  if (!snippet) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">{texts("webhooks.language")}</legend>
        {data.map((one) => (
          <ChoiceButton key={one.language} isChosen={one === snippet} onChoose={() => setLanguage(one.language)}>
            {one.language}
          </ChoiceButton>
        ))}
      </fieldset>
      <p className="text-sm text-ink-soft">{snippet.lead}</p>
      <CodeBlock title={texts("webhooks.verificationInLanguage", { language: snippet.language })} code={snippet.code} />
    </div>
  );
}
