import { useMemo } from "react";
import { COUNTRIES } from "@/server/domain/countries";
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { countryName } from "../i18n/names";
import { useTexts } from "../i18n/use-texts";
import { Select } from "./select";

/** By name, in the order of the language's alphabet. */
function optionsIn(language: DashboardLanguage) {
  return [...COUNTRIES]
    .map((value) => ({ value, label: countryName(language, value) }))
    .sort((one, other) => one.label.localeCompare(other.label, language));
}

interface CountrySelectProps {
  readonly id: string;
  readonly label: string;
  /** ISO 3166-1 alpha-2, or empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A choice of a country by its name; for parts that load on demand, since the list is long. */
export function CountrySelect(props: CountrySelectProps) {
  const texts = useTexts();
  const options = useMemo(() => optionsIn(texts.language), [texts.language]);
  return <Select {...props} options={[{ value: "", label: texts("common.chooseACountry") }, ...options]} />;
}
