// Lists of tabs that work with a keyboard: one of them has the focus, arrows move it.

export interface Tab {
  id: string;
  label: string;
}

/** Fills a list of tabs. `choose` is called when the user picks another one. */
export function showTabs(list: HTMLElement, tabs: Tab[], selected: string, choose: (id: string) => void): void {
  list.replaceChildren(
    ...tabs.map((tab) => {
      const button = document.createElement("button");
      button.type = "button";
      button.role = "tab";
      button.id = `${list.id}-${tab.id}`;
      button.textContent = tab.label;
      button.ariaSelected = String(tab.id === selected);
      button.tabIndex = tab.id === selected ? 0 : -1;
      button.addEventListener("click", () => choose(tab.id));
      return button;
    }),
  );
  list.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = tabs.findIndex((tab) => tab.id === selected);
    const next = step && tabs[(at + step + tabs.length) % tabs.length];
    if (next) {
      event.preventDefault();
      choose(next.id);
      document.getElementById(`${list.id}-${next.id}`)?.focus();
    }
  };
}
