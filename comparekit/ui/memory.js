// What this browser keeps for one person: a ticket or a name, no cookie, never in the address.
// It also takes a link's token out of the address without leaving a trace in the history.

export default function ({ data, setStateValue }) {
  const address = new URL(window.location.href);
  if (address.searchParams.has(data.strip)) {
    address.searchParams.delete(data.strip);
    window.history.replaceState(window.history.state, "", address);
  }
  let kept = "";
  try {
    if (data.forget) window.localStorage.removeItem(data.name);
    if (data.write) window.localStorage.setItem(data.name, data.write);
    if (data.ask) kept = window.localStorage.getItem(data.name) ?? "";
  } catch { /* a browser that keeps nothing: the person is asked again after a reload */ }
  if (data.ask && kept) setStateValue("kept", kept);
}
