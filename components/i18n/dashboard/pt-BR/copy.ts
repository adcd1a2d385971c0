import type { Catalogue } from "../en";

export const copy = {
  theCommandsTitle: "os comandos: {title}",
  copy: "Copiar",
  copied: "Copiado",
  selectIt: "Selecione",
  copyWhat: "Copiar {what}",
  copiedWhat: "Copiado: {what}",
} satisfies Readonly<Record<keyof Catalogue["copy"], string>>;
