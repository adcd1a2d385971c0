// The member's language: what is chosen, and choosing another.
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

export interface LanguageState {
  /** What is chosen, or is being stored: a tag, or nothing for the browser's. */
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Takes the value of an option. */
  readonly onChoose: (tag: string) => void;
  readonly hasFailed: boolean;
}

/** A language's name in itself: "português (Brasil)". */
function nameOf(language: DashboardLanguage): string {
  return new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
}

/** The pages are rendered again once the choice is stored here, and wherever the member signs in. */
export function useLanguage(): LanguageState {
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
  return {
    value: (choose.isPending ? choose.variables.language : me.data?.language) ?? "",
    options: [
      { value: "", label: texts("shell.browsersLanguage") },
      ...DASHBOARD_LANGUAGES.map((language) => ({ value: language, label: nameOf(language) })),
    ],
    onChoose: (tag) => choose.mutate({ language: findDashboardLanguage(tag) ?? null }),
    hasFailed: choose.isError,
  };
}
