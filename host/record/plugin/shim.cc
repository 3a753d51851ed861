// Oclgrind's plugin interface is C++: this hands its events over to C (plugin.h) and does nothing else.
#include <oclgrind/Context.h>
#include <oclgrind/Kernel.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/Plugin.h>
#include <oclgrind/WorkGroup.h>
#include <oclgrind/WorkItem.h>

#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

#include "plugin.h"
#include "record/access.h"

using namespace oclgrind;

namespace
{
size_t linear(Size3 at, Size3 size)
{
    return at.x + size.x * (at.y + size.y * at.z);
}

bool is_global(const Memory *memory)
{
    return memory->getAddressSpace() == AddrSpaceGlobal;
}

class Recorder : public Plugin
{
  public:
    explicit Recorder(const Context *context) : Plugin(context), id(reinterpret_cast<uintptr_t>(context))
    {
        plugin_context(id);
    }

    bool isThreadSafe() const override
    {
        return false; // so that Oclgrind runs work-groups in order, one after the other
    }

    void memoryAllocated(const Memory *m, size_t address, size_t size, cl_mem_flags, const uint8_t *) override
    {
        if (is_global(m))
            plugin_buffer(id, address, size);
    }

    void memoryDeallocated(const Memory *m, size_t address) override
    {
        if (is_global(m))
            plugin_freed(id, address);
    }

    void kernelBegin(const KernelInvocation *k) override
    {
        Size3 grid = k->getNumGroups(), block = k->getLocalSize();
        struct plugin_launch l = {id,
                                  k->getKernel()->getName().c_str(),
                                  llvm::wrap(k->getKernel()->getFunction()),
                                  {grid.x, grid.y, grid.z},
                                  {block.x, block.y, block.z}};
        groups = grid;
        items = block;
        plugin_launch_start(&l);
    }

    void kernelEnd(const KernelInvocation *) override
    {
        plugin_launch_end();
    }

    void workGroupBegin(const WorkGroup *g) override
    {
        plugin_group(linear(g->getGroupID(), groups));
    }

    void workGroupComplete(const WorkGroup *) override
    {
        plugin_group_end();
    }

    void memoryLoad(const Memory *m, const WorkItem *, size_t address, size_t size) override
    {
        access(m, RECORD_LOAD, address, size);
    }

    void memoryStore(const Memory *m, const WorkItem *, size_t address, size_t size, const uint8_t *) override
    {
        access(m, RECORD_STORE, address, size);
    }

    void memoryAtomicLoad(const Memory *m, const WorkItem *, AtomicOp, size_t address, size_t size) override
    {
        access(m, RECORD_ATOMIC, address, size);
    }

    void memoryAtomicStore(const Memory *m, const WorkItem *, AtomicOp, size_t address, size_t size) override
    {
        access(m, RECORD_ATOMIC, address, size);
    }

    void memoryLoad(const Memory *m, const WorkGroup *, size_t, size_t size) override
    {
        if (plugin_recording && is_global(m))
            plugin_copied(size);
    }

    void memoryStore(const Memory *m, const WorkGroup *, size_t, size_t size, const uint8_t *) override
    {
        if (plugin_recording && is_global(m))
            plugin_copied(size);
    }

    void instructionExecuted(const WorkItem *item, const llvm::Instruction *instruction, const TypedValue &) override
    {
        if (plugin_recording)
            plugin_executed(linear(item->getLocalID(), items), llvm::wrap(instruction));
    }

  private:
    void access(const Memory *m, record_kind kind, size_t address, size_t size)
    {
        if (plugin_recording && is_global(m))
            plugin_access(kind, address, size);
    }

    uint64_t id;
    Size3 groups, items;
};

Recorder *recorder_of(Context *context, bool remove)
{
    static std::map<Context *, Recorder *> recorders;
    Recorder *&r = recorders[context], *was = r;
    if (remove)
        recorders.erase(context);
    else
        r = new Recorder(context);
    return remove ? was : r;
}
} // namespace

extern "C" void initializePlugins(Context *context)
{
    context->registerPlugin(recorder_of(context, false));
}

extern "C" void releasePlugins(Context *context)
{
    Recorder *r = recorder_of(context, true);
    context->unregisterPlugin(r);
    delete r;
}
