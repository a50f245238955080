// A small integration of the sample site: a block that shows how bright a lamp is, and lets readers change it. Its script runs
// in the sandbox of the server.

export const DIMMER = "sample-dimmer";

export const blocks = [
  { id: "lamp", title: "Lamp", description: "Shows how bright a lamp is, and makes it brighter or darker." },
];

/** The script returns a tree of elements. Its state lives on the page, so nothing is stored. */
export const script = `
const STEP = 20;

export default {
  async fetch(request) {
    const event = JSON.parse((await request.formData()).get("event"));
    if (event.type !== "ui_render") return new Response(null, { status: 406 });
    const { props = {}, state = {}, action } = event;
    const given = Number(state.level ?? props.level ?? 60);
    const level = Math.min(100, Math.max(0, given + moved(action)));
    return Response.json({ type: "element", state: { level }, element: lamp(String(props.name ?? "Lamp"), level) });
  },
};

function moved(action) {
  if (action?.action === "brighter") return STEP;
  return action?.action === "darker" ? -STEP : 0;
}

function lamp(name, level) {
  const bar = "█".repeat(level / 10) + "░".repeat(10 - level / 10);
  const button = (label, action) => ({ type: "button", label, onPress: { action } });
  return {
    type: "block",
    children: [
      {
        type: "card",
        title: name,
        hint: bar + " " + level + " %",
        children: [],
        buttons: [button("Darker", "darker"), button("Brighter", "brighter")],
      },
    ],
  };
}
`;
