import type { Catalogue } from "../en";

export const signIn = {
  noMember:
    "Usted no es miembro activo de un comercio aquí, o su proveedor no verificó su dirección. Pida a un propietario o administrador que invite esa dirección.",
  factorRequired:
    "Su comercio exige un segundo factor, y su proveedor no dijo que pidió uno. Entre con una passkey, o configure un segundo factor en su proveedor.",
  codeWrong: "El código es incorrecto o ya se usó. Espere el siguiente, o use un código de recuperación.",
  singleSignOnFailed:
    "El inicio de sesión único no funcionó. Inténtelo de nuevo; si falla otra vez, avise al operador de esta instancia.",
  tooLate: "Tardó más de cinco minutos. Empiece de nuevo en la página de inicio de sesión.",
  passwordWrong: "La contraseña es incorrecta, o hubo demasiados intentos.",
  password: "Contraseña",
  connectHint:
    "Una vez, para conectar su cuenta aquí con el proveedor. Si nunca eligió una contraseña, avise a un propietario: otra persona abrió su invitación.",
  oneTimeCode: "Código de un solo uso",
  neverConnected: "Usted aún no entró aquí con el proveedor.",
  againFailed: "El nuevo inicio de sesión no funcionó. Cierre esta ventana e inténtelo de nuevo.",
  againRefused: "No se aceptó la respuesta del proveedor: entre con su propia cuenta, e ingrese allí su contraseña.",
  againDone: "Listo. Puede cerrar esta ventana.",
  openingYourProvider: "Abriendo su proveedor…",
  notSignedIn:
    "No se pudo iniciar la sesión. Revise la dirección y la contraseña. Las cuentas se bloquean 30 minutos tras diez intentos fallidos.",
  passkeyFailed:
    "No se pudo entrar con una passkey. Use su contraseña, y agregue una passkey para este sitio en Su cuenta.",
  noAnswer: "El servicio no respondió. Inténtelo de nuevo en un momento.",
  email: "Correo electrónico",
  codeHint: "De su autenticador, o uno de sus códigos de recuperación.",
  signingIn: "Entrando…",
  signIn: "Entrar",
  signInWithPasskey: "Entrar con una passkey",
  needsJavaScript: "Para entrar se necesita JavaScript.",
  signOut: "Cerrar sesión",
  opening: "Abriendo…",
  signInWithName: "Entrar con {name}",
  linkInvalid: "Este enlace no funciona. Pudo haber vencido, haberse usado o haberse reemplazado. Pida uno nuevo.",
  checkingTheLink: "Verificando el enlace…",
  passwordSet: "Su contraseña está lista. <textLink>Entrar</textLink>",
  theTwoPasswordsDiffer: "Las dos contraseñas son distintas.",
  invited: "Lo invitaron a {merchantName}. Elija la contraseña con la que entrará.",
  reset: "Elija una contraseña nueva para {merchantName}.",
  passwordHint: "Al menos 12 caracteres.",
  passwordAgain: "Contraseña otra vez",
  setting: "Guardando…",
  setPassword: "Fijar contraseña",
} satisfies Readonly<Record<keyof Catalogue["signIn"], string>>;
