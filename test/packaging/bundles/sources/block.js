// A block of a page with a component that counts, with actions, and with a form.

import { createIntegration, HttpError, h } from "./runtime.js";

class Component {
  static initial = { count: 0 };

  constructor(componentId) {
    this.componentId = componentId;
  }

  initialState({ start = Component.initial.count }) {
    return { count: start };
  }

  async action({ props, state }, action) {
    switch (action.action) {
      case "add":
        return { props, state: { ...state, count: state.count + (action.by ?? 1) } };
      case "rename":
        if (!action.title?.trim()) throw new HttpError(422, "A title is needed");
        return { props: { ...props, title: action.title }, state };
      case "done":
        return { type: "complete", returnValue: { count: state.count } };
      default:
        throw new HttpError(400, `There is no action ${action.action}`);
    }
  }

  async render({ props, state }) {
    const text = h("text", null, `${state.count.toLocaleString("en-US")} times`);
    const more = h("button", { label: "More", onPress: { action: "add", by: 1000 } });
    return h("block", null, h("card", { title: props.title ?? "Counter" }, text, more));
  }
}

export default createIntegration({ components: [new Component("counter")] });
