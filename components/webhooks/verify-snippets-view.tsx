// The verification snippets, one language at a time; loaded when they are opened.
"use client";
import { useState } from "react";
import { ChoiceButton } from "../ui/choice-button";
import { CodeBlock } from "../ui/code-block";
import { SNIPPETS } from "./verify-snippets";

export default function VerifySnippetsView() {
  const [language, setLanguage] = useState(SNIPPETS[0]?.language);
  const snippet = SNIPPETS.find((one) => one.language === language);
  if (!snippet) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-sm text-ink-soft">
        Use the raw body: a body that was parsed and serialized again has another signature.
      </p>
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">Language</legend>
        {SNIPPETS.map((one) => (
          <ChoiceButton key={one.language} isChosen={one === snippet} onChoose={() => setLanguage(one.language)}>
            {one.language}
          </ChoiceButton>
        ))}
      </fieldset>
      <CodeBlock title={snippet.setup} code={snippet.code} />
    </div>
  );
}
