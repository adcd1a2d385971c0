import type { PresentedHistory } from "@/server/trpc/present/history";
import { useTexts } from "../i18n/use-texts";
import { ObjectLink } from "../shell/object-link";
import { LocalTime } from "../time/local-time";
import { type Happening, happenings } from "./timeline-items";

const DOTS: Readonly<Record<Happening["tone"], string>> = {
  plain: "border-line-strong bg-surface",
  good: "border-good bg-good",
  bad: "border-bad bg-bad",
  over: "border-over bg-over",
};

export function Timeline({ history }: { readonly history: PresentedHistory }) {
  const texts = useTexts();
  return (
    <ol className="grid">
      {happenings(texts, history).map(({ key, at, title, by, notes, made, tone }) => (
        <li key={key} className="group grid grid-cols-[auto_minmax(0,1fr)] gap-x-3.5">
          <span aria-hidden="true" className="grid grid-rows-[auto_1fr] justify-items-center">
            <span className={`mt-1.5 size-2.5 rounded-full border-2 ${DOTS[tone]}`} />
            <span className="w-px bg-line group-last:hidden" />
          </span>
          <div className="pb-5 group-last:pb-0">
            <p className="text-sm font-medium wrap-anywhere">{title}</p>
            <p className="caption">
              <LocalTime iso={at} />
              {by === null ? null : ` · ${by}`}
            </p>
            {made === undefined ? null : (
              <p className="mt-0.5 text-xs">
                <ObjectLink id={made} />
              </p>
            )}
            {notes.map((note) => (
              <p key={note} className="mt-0.5 text-xs wrap-anywhere">
                {note}
              </p>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}
