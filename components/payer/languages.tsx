// The other languages of the page, as links: they work without scripts.
import { Globe } from "lucide-react";
import { languageQuery, PAYER_LANGUAGES, type PayerLanguage } from "@/server/contract/languages";
import type { PayerTexts } from "../i18n/texts";

interface LanguagesProps {
  readonly id: string;
  readonly language: PayerLanguage;
  readonly texts: PayerTexts;
}

/** A language's name in itself, without its region: "português". */
function nameOf(language: PayerLanguage): string {
  const [base = language] = language.split("-");
  return new Intl.DisplayNames([language], { type: "language" }).of(base) ?? language;
}

export function Languages({ id, language, texts }: LanguagesProps) {
  return (
    <nav aria-label={texts("language")} className="flex items-baseline gap-2 print:hidden">
      <Globe className="size-4 shrink-0 translate-y-0.5 text-ink-soft" aria-hidden="true" />
      <ul className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
        {PAYER_LANGUAGES.map((one) => (
          <li key={one}>
            <a
              href={`/pay/${id}${languageQuery(one)}`}
              lang={one}
              hrefLang={one}
              aria-current={one === language || undefined}
              className="inline-flex min-h-6 items-center text-ink-soft hover:text-ink hover:underline aria-[current]:font-semibold aria-[current]:text-ink"
            >
              <bdi>{nameOf(one)}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
