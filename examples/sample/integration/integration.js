// Draws the price of a delivery. The state lives on the page: nothing is stored.

const BASE_CENTS = 390;
const CENTS_PER_KG = 45;
const HEAVIEST = 30;

export default {
  async fetch(request) {
    const event = JSON.parse((await request.formData()).get("event"));
    if (event.type !== "ui_render") return new Response(null, { status: 406 });
    const { props = {}, state = {}, action } = event;
    const steps = { lighter: -1, heavier: 1 };
    const wanted = Number(state.weight ?? props.weight ?? 2) + (steps[action?.action] ?? 0);
    const weight = Math.min(HEAVIEST, Math.max(1, wanted));
    return Response.json({ type: "element", state: { weight }, element: renderPrice(weight) });
  },
};

function renderPrice(weight) {
  const price = ((BASE_CENTS + CENTS_PER_KG * weight) / 100).toFixed(2);
  const button = (label, action) => ({ type: "button", label, onPress: { action } });
  const buttons = [button("1 kg less", "lighter"), button("1 kg more", "heavier")];
  const card = {
    type: "card",
    title: `${weight} kg in the city: € ${price}`,
    hint: "Without taxes",
    children: [],
    buttons,
  };
  return { type: "block", children: [card] };
}
