// Browsers start no worker from a file:// page. This stands in for one: the script runs in a hidden
// frame, and messages pass between the page and the frame. The theme's search needs no more.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      const script = document.createElement("script");
      script.src = new URL(url, document.baseURI).href;
      this.frame.srcdoc = script.outerHTML;
      this.ready = new Promise((resolve) => this.frame.addEventListener("load", resolve));
      document.body.append(this.frame);
      this.ready.then(() => {
        this.frame.contentWindow.postMessage = (data) => this.deliver(this, MessageEvent, data);
      });
    }
    deliver(target, Kind, data) { // later, as between a page and a worker
      setTimeout(() => target.dispatchEvent(new Kind("message", { data })));
    }
    postMessage(data) {
      this.ready.then(() => {
        const inner = this.frame.contentWindow;
        this.deliver(inner, inner.MessageEvent, data);
      });
    }
    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
