import type { Catalogue } from "../en";

export const copy = {
  theCommandsTitle: "los comandos: {title}",
  copy: "Copiar",
  copied: "Copiado",
  selectIt: "Seleccione",
  copyWhat: "Copiar {what}",
  copiedWhat: "Copiado: {what}",
} satisfies Readonly<Record<keyof Catalogue["copy"], string>>;
