"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import {
  DASHBOARD_LANGUAGES,
  type DashboardLanguage,
  findDashboardLanguage,
} from "@/server/domain/dashboard-languages";
import { useTexts } from "../i18n/use-texts";
import { useTRPC } from "../trpc/client";

/** A language's name in itself: "português (Brasil)". */
function nameOf(language: DashboardLanguage): string {
  return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
}

/** The pages are rendered again once the choice is stored here, and wherever the member signs in. */
export function LanguageChoice() {
  const texts = useTexts();
  const trpc = useTRPC();
  const router = useRouter();
  const me = useQuery(trpc.session.me.queryOptions());
  const choose = useMutation(
    trpc.session.chooseLanguage.mutationOptions({
      onSuccess: () => {
        void me.refetch();
        router.refresh();
      },
    }),
  );
  const shown = choose.isPending ? choose.variables.language : (me.data?.language ?? null);
  return (
    <label className="grid gap-1 px-1 pt-1">
      <span className="caption px-1.5">{texts("shell.language")}</span>
      <select
        value={shown ?? ""}
        onChange={({ target }) => choose.mutate({ language: findDashboardLanguage(target.value) ?? null })}
        className="min-h-8 w-full rounded-sm border border-line-strong bg-surface px-1.5 text-xs"
      >
        <option value="">{texts("shell.browsersLanguage")}</option>
        {DASHBOARD_LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {nameOf(one)}
          </option>
        ))}
      </select>
      {choose.isError ? (
        <span role="alert" className="caption px-1.5 text-bad">
          {texts("shell.choiceNotSaved")}
        </span>
      ) : null}
    </label>
  );
}
