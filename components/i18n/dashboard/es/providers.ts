import type { Catalogue } from "../en";

export const providers = {
  providers: "Proveedores",
  providersAbout: "Quién procesa sus pagos, desembolsos y recargas, y cómo van sus operaciones en cada uno.",
  noProviders:
    "Ningún proveedor atiende a este comercio en {environment, select, live {producción} other {prueba}}. Los configura el operador.",
  manyOpen: "1000 o más",
  none: "No hay",
  allAnswered: "todas respondidas",
  callsWithoutAnswer: "{withoutAnswer} sin respuesta útil",
  openIntents: "Operaciones abiertas",
  ofTheseLate: "De estas, atrasadas",
  last15Minutes: "Últimos 15 minutos",
  lastUsableAnswer: "Última resposta útil",
  noneWithinADay: "Ninguna en un día",
  paused: "Pausado",
  yourAccountThere: "Su cuenta allí",
  paymentMethods: "Medios de pago",
  offersTopups: "Recargas",
  yes: "Sí",
  no: "No",
  working: "Funcionando",
  workIsLate: "Con retraso",
  pollsLate: "Algunas de sus operaciones abiertas debieron consultarse hace más de un minuto.",
  notAnswering: "No responde",
  mostCallsFail:
    "La mayoría de las llamadas recientes quedó sin respuesta útil. Sluice consulta cada una hasta tener certeza; nada se envía dos veces.",
  heldByOperator:
    "El operador suspendió los desembolsos nuevos, o todas las operaciones nuevas, en las monedas de abajo.",
  notConfigured: "Sin configurar",
  waitsForOperator: "Sus operaciones abiertas esperan hasta que el operador configure de nuevo este proveedor.",
  payoutCurrencies: "Desembolsos",
  payments: "{count, plural, one {{shown} pago} other {{shown} pagos}}",
  payouts: "{count, plural, one {{shown} desembolso} other {{shown} desembolsos}}",
  topups: "{count, plural, one {{shown} recarga} other {{shown} recargas}}",
  calls: "{count, plural, one {{shown} llamada} other {{shown} llamadas}}",
  intents: "{count, plural, one {{shown} operación} other {{shown} operaciones}}",
} satisfies Readonly<Record<keyof Catalogue["providers"], string>>;
