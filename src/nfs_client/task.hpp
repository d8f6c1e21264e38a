// Coroutines of one thread: an op is one, and so are its parts. Their frames are recycled, so that ops allocate nothing
// once as many are in flight as ever were.
#pragma once

#include <array>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <new>
#include <utility>

namespace edagen {

/// The free frames of this thread, in lists by their size.
class FramePool {
 public:
  static FramePool& of_thread() {
    thread_local FramePool pool;
    return pool;
  }
  ~FramePool() {
    for (Frame*& list : lists_)
      while (list) ::operator delete(std::exchange(list, list->next));
  }
  void* take(std::size_t bytes) {
    const std::size_t list = list_of(bytes);
    if (list >= lists_.size()) return ::operator new(bytes);
    if (Frame* const frame = lists_[list]) {
      lists_[list] = frame->next;
      return frame;
    }
    return ::operator new((list + 1) * unit);
  }
  void give_back(void* memory, std::size_t bytes) noexcept {
    const std::size_t list = list_of(bytes);
    if (list >= lists_.size()) return ::operator delete(memory);
    lists_[list] = new (memory) Frame{lists_[list]};
  }

 private:
  struct Frame {
    Frame* next;
  };
  static constexpr std::size_t unit = 128;
  static std::size_t list_of(std::size_t bytes) { return (bytes - 1) / unit; }

  std::array<Frame*, 64> lists_{};
};

/// Is called when a task ends that no other task waits for.
class TaskEnd {
 public:
  /// `number` is that of Task::start(). Returns what goes on instead.
  virtual std::coroutine_handle<> task_ended(std::uint32_t number) = 0;

 protected:
  ~TaskEnd() = default;
};

/// A coroutine that begins when it is awaited or started. Destroying it drops it wherever it waits.
template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type {
    T value{};
    std::coroutine_handle<> awaiting;  ///< goes on at the end
    TaskEnd* end = nullptr;            ///< else this is called
    std::uint32_t number = 0;

    static void* operator new(std::size_t bytes) { return FramePool::of_thread().take(bytes); }
    static void operator delete(void* memory, std::size_t bytes) { FramePool::of_thread().give_back(memory, bytes); }

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct AtEnd {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> task) noexcept {
        promise_type& promise = task.promise();
        return promise.awaiting ? promise.awaiting : promise.end->task_ended(promise.number);
      }
      void await_resume() noexcept {}
    };
    AtEnd final_suspend() noexcept { return {}; }
    void return_value(T result) { value = result; }
    void unhandled_exception() { std::terminate(); }  // only memory can be missing
  };

  Task() = default;
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  /// Begins the task, which calls `end` at its end.
  void start(TaskEnd& end, std::uint32_t number) {
    handle_.promise().end = &end;
    handle_.promise().number = number;
    handle_.resume();
  }
  /// The value of a task that has ended.
  const T& value() const { return handle_.promise().value; }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
    handle_.promise().awaiting = awaiting;
    return handle_;
  }
  T await_resume() const { return handle_.promise().value; }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

/// The wait of one task for several others: `co_await join` after they were started with it.
class Join final : public TaskEnd {
 public:
  void expect_another() { ++running_; }
  std::coroutine_handle<> task_ended(std::uint32_t) override {
    if (--running_ > 0 || !awaiting_) return std::noop_coroutine();
    return std::exchange(awaiting_, nullptr);
  }
  bool await_ready() const noexcept { return running_ == 0; }
  void await_suspend(std::coroutine_handle<> awaiting) noexcept { awaiting_ = awaiting; }
  void await_resume() const noexcept {}

 private:
  unsigned running_ = 0;
  std::coroutine_handle<> awaiting_;
};

/// A condition that tasks wait for.
class TaskGate {
 public:
  TaskGate() = default;
  TaskGate(const TaskGate&) = delete;
  TaskGate& operator=(const TaskGate&) = delete;

  /// `co_await gate.opened()` waits until the next open().
  auto opened() { return Wait{*this}; }
  /// The tasks that wait are gone.
  void forget() { first_ = nullptr; }
  /// Lets those go on that wait now.
  void open() {
    for (Wait* wait = std::exchange(first_, nullptr); wait;) {
      Wait* const next = wait->next;
      wait->task.resume();
      wait = next;
    }
  }

 private:
  struct Wait {
    TaskGate& gate;
    std::coroutine_handle<> task = {};
    Wait* next = nullptr;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) noexcept {
      task = waiting;
      next = std::exchange(gate.first_, this);
    }
    void await_resume() const noexcept {}
  };
  Wait* first_ = nullptr;
};

}  // namespace edagen
