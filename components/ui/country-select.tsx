import { COUNTRIES } from "@/server/domain/countries";
import { Select } from "./select";

const NAMES = new Intl.DisplayNames(["en"], { type: "region" });

const OPTIONS = [...COUNTRIES]
  .map((value) => ({ value, label: NAMES.of(value) ?? value }))
  .sort((one, other) => one.label.localeCompare(other.label, "en"));

interface CountrySelectProps {
  readonly id: string;
  readonly label: string;
  /** ISO 3166-1 alpha-2, or empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A choice of a country by its name; for parts that load on demand, since the list is long. */
export function CountrySelect(props: CountrySelectProps) {
  return <Select {...props} options={[{ value: "", label: "Choose a country" }, ...OPTIONS]} />;
}
