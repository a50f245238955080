// Messages of all pages, in Spanish.

import type { everywhere as english } from "../en/everywhere";
import type { TranslatedMessages } from "../translated-messages";

export const everywhere: TranslatedMessages<typeof english> = {
  loading: "Cargando…",
  showMore: "Mostrar más",
  tryAgain: "Intentar de nuevo",
  close: "Cerrar",
  cancel: "Cancelar",
  save: "Guardar",
  saving: "Guardando…",
  saved: "Guardado",
  delete: "Eliminar",
  rename: "Cambiar nombre",
  create: "Crear",
  more: "Más",
  skip: "Ir al contenido",
  search: "Buscar",
  title: "Título",
  notFound: "Esta página no existe",
  notFoundWhy: "Se movió o se eliminó, o usted no puede verla.",
  wentWrong: "Algo salió mal",
  connectionLost: "No hay conexión con el servidor. Lo que ha escrito se conserva.",
  signedOut: "Se ha cerrado su sesión",
  signedOutWhy: "Inicie sesión de nuevo en otra pestaña y vuelva aquí. No se pierde nada de lo que ha escrito.",
  signInAgain: "Iniciar sesión",
  goOn: "Continuar",
};
